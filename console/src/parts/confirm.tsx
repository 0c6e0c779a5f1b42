import { Button, type ButtonProps, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Field } from './field';
import { Form } from './form';
import { Modal } from './modal';

/** A question before an action that cannot be undone. */
interface Question {
  readonly title: string;
  /** Label of the button that acts. */
  readonly action: string;
  readonly isRisky?: boolean;
  /** Name that must be typed, for what destroys the most. */
  readonly typed?: string;
  /** Explanation of the consequences. */
  readonly body?: ReactNode;
  readonly onConfirm: () => Promise<unknown>;
}

/** A dialog to render, and a function that asks a question in it; for menus and keys. */
export function useConfirm(): [dialog: ReactNode, ask: (question: Question) => void] {
  const [question, setQuestion] = useState<Question | null>(null);
  const close = (): void => setQuestion(null);
  const dialog = (
    <Modal title={question?.title ?? ''} isOpen={question !== null} onClose={close}>
      {question && <QuestionForm question={question} onDone={close} />}
    </Modal>
  );
  return [dialog, setQuestion];
}

class OtherName extends Error {
  override message = 'This is another name.';
}

interface QuestionFormProps {
  readonly question: Question;
  readonly onDone: () => void;
}

function QuestionForm({ question, onDone }: QuestionFormProps): ReactNode {
  const { action, isRisky = false, typed, body, onConfirm } = question;
  const [text, setText] = useState('');
  const act = async (): Promise<void> => {
    if (typed !== undefined && text !== typed) throw new OtherName();
    await onConfirm();
    onDone();
  };
  return (
    <Form
      action={action}
      isDangerous={isRisky}
      isKept
      onSubmit={act}
      explain={(error) => (error instanceof OtherName ? { field: 'typed' } : undefined)}
    >
      {body}
      {typed !== undefined && (
        <Field name="typed" label={`Type “${typed}” to confirm`}>
          <TextInput
            required
            autoFocus
            autoComplete="off"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </Field>
      )}
    </Form>
  );
}

interface ConfirmProps extends Omit<Question, 'action' | 'body'> {
  /** Label of both buttons. */
  readonly label: string;
  readonly isSmall?: boolean;
  /** Explanation of the consequences. */
  readonly children?: ReactNode;
}

/** A button that asks before it acts. */
export function Confirm({ label, isSmall = false, children, ...question }: ConfirmProps): ReactNode {
  const [dialog, ask] = useConfirm();
  return (
    <>
      <Button
        {...buttonLook(isSmall, question.isRisky)}
        onClick={() => ask({ ...question, action: label, body: children })}
      >
        {label}
      </Button>
      {dialog}
    </>
  );
}

/** Secondary button; red if it destroys something. */
export const buttonLook = (isSmall: boolean, isRisky = false): ButtonProps => ({
  variant: 'default',
  size: isSmall ? 'compact-xs' : 'xs',
  ...(isRisky && { c: 'red' }),
});
