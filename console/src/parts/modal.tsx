import { Modal as MantineModal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDialog } from './use-dialog';

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

/** Modal dialog that asks before it discards unsaved input. */
export function Modal({ title, isOpen, onClose, isWide = false, isLight, children }: ModalProps): ReactNode {
  const dialog = useDialog({ isOpen, onClose, isLight, children });
  const zIndex = onClose ? 200 : 400; // what cannot be dismissed is above all others
  return <MantineModal title={title} size={isWide ? 960 : 560} zIndex={zIndex} {...dialog} />;
}
