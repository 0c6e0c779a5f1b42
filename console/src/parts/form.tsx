import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { FaultNote } from './fault-note';

interface FormProps {
  readonly action: string;
  readonly onSubmit: () => Promise<void>;
  readonly isDangerous?: boolean;
  readonly extra?: ReactNode;
  readonly children?: ReactNode;
}

/** Sends once at a time, and says beside the button what the server has refused. What was typed stays. */
export function Form({ action, onSubmit, isDangerous = false, extra, children }: FormProps): ReactNode {
  const [error, setError] = useState<Error | null>(null);
  const [isSending, setSending] = useState(false);
  const sending = useRef(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (sending.current) return;
    sending.current = true;
    setSending(true);
    setError(null);
    try {
      await onSubmit();
    } catch (fault) {
      setError(fault as Error);
    } finally {
      sending.current = false;
      setSending(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      {children}
      {error && <FaultNote error={error} />}
      <div className="actions">
        <button className={isDangerous ? 'primary danger' : 'primary'} disabled={isSending} type="submit">
          {isSending ? 'One moment…' : action}
        </button>
        {extra}
      </div>
    </form>
  );
}
