import { Dialog } from '@base-ui/react/dialog';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { DialogContext } from './dialog-context';

interface ModalProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** Without it the dialog cannot be dismissed. */
  readonly onClose?: () => void;
  readonly isWide?: boolean;
  /** It is there to be read: a click beside it closes it as well, and what forms it has need no way out. */
  readonly isLight?: boolean;
  readonly children: ReactNode;
}

/**
 * A dialog over the page. It holds the focus, gives it back or to the page, and Escape closes it, as does going to another page; if
 * something was typed in a form of it, not without asking. While a form of it is sent it stays, unless it is there to be read. What is long scrolls between its title and the buttons of its form.
 */
export function Modal({
  title,
  isOpen,
  onClose,
  isWide = false,
  isLight = false,
  children,
}: ModalProps): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const [isSending, setSending] = useState(false);
  const isUnsaved = useRef(false);
  useEffect(() => (isOpen ? keepFocus : undefined), [isOpen]);
  const dismiss = (): void => {
    if (isSending && !isLight) return;
    if (isUnsaved.current && onClose) setAsking(true);
    else onClose?.();
  };
  const latest = useRef(dismiss);
  useEffect(() => {
    latest.current = dismiss;
  });
  const hasCancel = !isLight && onClose !== undefined;
  const around = useMemo(
    () => ({
      tellUnsaved: (is: boolean) => {
        isUnsaved.current = is;
      },
      tellSending: setSending,
      dismiss: hasCancel ? () => latest.current() : undefined,
    }),
    [hasCancel],
  );
  const hasUnsaved = useCallback(() => isUnsaved.current, []);
  const discard = (): void => {
    isUnsaved.current = false;
    setAsking(false);
    onClose?.();
  };
  return (
    <Dialog.Root
      open={isOpen}
      onOpenChangeComplete={(open) => !open && keepFocus()}
      disablePointerDismissal={!isLight}
      onOpenChange={(open) => !open && dismiss()}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className={isWide ? 'modal wide' : 'modal'}>
          <div className="modal-head">
            <Dialog.Title>{title}</Dialog.Title>
            {onClose && (
              <Dialog.Close className="plain close" aria-label="Close" disabled={isSending && !isLight}>
                ×
              </Dialog.Close>
            )}
          </div>
          <div className="modal-body">
            <DialogContext value={around}>{children}</DialogContext>
          </div>
          <DiscardQuestion isOpen={isAsking} onKeep={() => setAsking(false)} onDiscard={discard} />
          {onClose && <LeaveQuestion hasUnsaved={hasUnsaved} onDiscard={discard} />}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface DiscardQuestionProps {
  readonly isOpen: boolean;
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

function DiscardQuestion({ isOpen, onKeep, onDiscard }: DiscardQuestionProps): ReactNode {
  return (
    <Modal title="Discard your changes?" isOpen={isOpen} onClose={onKeep}>
      <div className="actions foot">
        <button type="button" className="primary" autoFocus onClick={onKeep}>
          Keep editing
        </button>
        <button type="button" className="risky" onClick={onDiscard}>
          Discard
        </button>
      </div>
    </Modal>
  );
}

interface LeaveQuestionProps {
  readonly hasUnsaved: () => boolean;
  readonly onDiscard: () => void;
}

/** Asks before another page takes the place of the one with the dialog: by the palette, or the browser's own buttons. */
function LeaveQuestion({ hasUnsaved, onDiscard }: LeaveQuestionProps): ReactNode {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: hasUnsaved,
    enableBeforeUnload: false,
    withResolver: true,
  });
  const leave = (): void => {
    onDiscard();
    proceed?.();
  };
  return <DiscardQuestion isOpen={status === 'blocked'} onKeep={() => reset?.()} onDiscard={leave} />;
}

/** The button that has opened a dialog may be gone with what was done there; then the page has the focus. */
function keepFocus(): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
  });
}
