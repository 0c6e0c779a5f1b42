import type { ReactNode } from 'react';
import { DialogButton } from './dialog-button';
import { Form } from './form';

interface ConfirmProps {
  /** What the button says, and that of the dialog. */
  readonly label: string;
  /** The question. */
  readonly title: string;
  readonly isSmall?: boolean;
  /** Both buttons say by their colour that something is lost or cut off. */
  readonly isRisky?: boolean;
  readonly onConfirm: () => Promise<unknown>;
  /** What it means. */
  readonly children: ReactNode;
}

/** A button for what is not done before it was asked for twice. */
export function Confirm({
  label,
  title,
  isSmall = false,
  isRisky = false,
  onConfirm,
  children,
}: ConfirmProps): ReactNode {
  return (
    <DialogButton
      label={label}
      title={title}
      isRisky={isRisky}
      {...(isSmall ? { kind: 'small' as const } : {})}
    >
      {(close) => (
        <Form
          action={label}
          isDangerous={isRisky}
          onSubmit={async () => {
            await onConfirm();
            close();
          }}
        >
          {children}
        </Form>
      )}
    </DialogButton>
  );
}
