import { Dialog } from '@base-ui/react/dialog';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { DialogContext } from './dialog-context';

interface ModalProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** If undefined, the dialog cannot be dismissed. */
  readonly onClose?: () => void;
  readonly isWide?: boolean;
  /** Read-only dialog: also closes on outside clicks, and its forms have no cancel button. */
  readonly isLight?: boolean;
  readonly children: ReactNode;
}

/**
 * Modal dialog that traps and restores focus. Escape and navigation close it, after a confirmation if a form
 * has unsaved input. It stays open while a form submits, unless `isLight`. Only its content scrolls.
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
      reportUnsaved: (is: boolean) => {
        isUnsaved.current = is;
      },
      reportSending: setSending,
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

/** Confirms before navigation, by the palette or the browser, discards the dialog. */
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

/** Focuses the page if the button that opened the dialog no longer exists. */
function keepFocus(): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
  });
}
