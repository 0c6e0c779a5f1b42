import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';

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

/** A dialog over the page. It holds the focus, and Escape closes it. */
export function Modal({
  title,
  isOpen,
  onClose,
  isWide = false,
  isLight = false,
  children,
}: ModalProps): ReactNode {
  return (
    <Dialog.Root
      open={isOpen}
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
