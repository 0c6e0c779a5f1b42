import { type ReactNode, useState } from 'react';
import { Modal } from './modal';

interface DialogButtonProps {
  /** Button label. */
  readonly label: string;
  readonly title: string;
  readonly kind?: 'primary' | 'small';
  readonly isRisky?: boolean;
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a dialog. */
export function DialogButton({
  label,
  title,
  kind,
  isRisky = false,
  children,
}: DialogButtonProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <button
        type="button"
        className={[kind, isRisky && 'risky'].filter(Boolean).join(' ')}
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      <Modal title={title} isOpen={isOpen} onClose={close}>
        {isOpen && children(close)}
      </Modal>
    </>
  );
}
