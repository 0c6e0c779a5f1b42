import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { buttonLook } from './confirm';
import { Modal } from './modal';
import { nameFrom } from './name-from';
import { useOpened } from './use-opened';

interface DialogButtonProps {
  /** Button label. */
  readonly label: string;
  readonly title: string;
  readonly kind?: 'primary' | 'small';
  readonly isRisky?: boolean;
  /** Icon before the label. */
  readonly icon?: ReactNode;
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a dialog. So does its title as `open` in the address, in the form of `add-a-person`. */
export function DialogButton({ label, title, kind, isRisky, icon, children }: DialogButtonProps): ReactNode {
  const [isOpen, setOpen] = useOpened(nameFrom(title, ''));
  const close = (): void => setOpen(false);
  return (
    <>
      <Button
        {...(kind === 'primary' ? { size: 'xs' } : buttonLook(kind === 'small', isRisky))}
        leftSection={icon}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      <Modal title={title} isOpen={isOpen} onClose={close}>
        {isOpen && children(close)}
      </Modal>
    </>
  );
}
