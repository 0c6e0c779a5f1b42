import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { UnsavedContext } from './unsaved';

interface ModalProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** Without it the dialog cannot be dismissed. */
  readonly onClose?: () => void;
  readonly isWide?: boolean;
  /** A click beside it closes it as well. Not where something was typed. */
  readonly isLight?: boolean;
  readonly children: ReactNode;
}

/**
 * A dialog over the page. It holds the focus, gives it back or to the page, and Escape closes it; if something was typed in a
 * form of it, not without asking.
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
  const isUnsaved = useRef(false);
  const tellUnsaved = useCallback((is: boolean) => {
    isUnsaved.current = is;
  }, []);
  useEffect(() => (isOpen ? keepFocus : undefined), [isOpen]);
  const dismiss = (): void => (isUnsaved.current && onClose ? setAsking(true) : onClose?.());
  const discard = (): void => {
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
              <Dialog.Close className="plain" aria-label="Close">
                ×
              </Dialog.Close>
            )}
          </div>
          <UnsavedContext value={tellUnsaved}>{children}</UnsavedContext>
          <Modal title="Discard what you have typed?" isOpen={isAsking} onClose={() => setAsking(false)}>
            <div className="actions">
              <button type="button" className="primary" autoFocus onClick={() => setAsking(false)}>
                Go on typing
              </button>
              <button type="button" className="risky" onClick={discard}>
                Discard it
              </button>
            </div>
          </Modal>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The button that has opened a dialog may be gone with what was done there; then the page has the focus. */
function keepFocus(): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
  });
}
