import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, useEffect } from 'react';

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

/** A dialog over the page. It holds the focus, gives it back or to the page, and Escape closes it. */
export function Modal({
  title,
  isOpen,
  onClose,
  isWide = false,
  isLight = false,
  children,
}: ModalProps): ReactNode {
  useEffect(() => (isOpen ? keepFocus : undefined), [isOpen]);
  return (
    <Dialog.Root
      open={isOpen}
      onOpenChangeComplete={(open) => !open && keepFocus()}
      disablePointerDismissal={!isLight}
      onOpenChange={(open) => !open && onClose?.()}
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
          {children}
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
