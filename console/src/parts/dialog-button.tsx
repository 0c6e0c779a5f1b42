import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { buttonLook } from './confirm';
import { Modal } from './modal';

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

/** A button that opens a dialog. */
export function DialogButton({ label, title, kind, isRisky, icon, children }: DialogButtonProps): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button
        {...(kind === 'primary' ? { size: 'xs' } : buttonLook(kind === 'small', isRisky))}
        leftSection={icon}
        onClick={open}
      >
        {label}
      </Button>
      <Modal title={title} isOpen={isOpen} onClose={close}>
        {isOpen && children(close)}
      </Modal>
    </>
  );
}
