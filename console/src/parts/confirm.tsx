import type { ReactNode } from 'react';
import { DialogButton } from './dialog-button';
import { Form } from './form';

interface ConfirmProps {
  /** Label of both buttons. */
  readonly label: string;
  /** Title of the dialog. */
  readonly title: string;
  readonly isSmall?: boolean;
  /** Marks both buttons as destructive. */
  readonly isRisky?: boolean;
  readonly onConfirm: () => Promise<unknown>;
  /** Explanation of the consequences. */
  readonly children: ReactNode;
}

/** A button that asks for confirmation in a dialog. */
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
