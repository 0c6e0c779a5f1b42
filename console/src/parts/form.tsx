import { createContext, type FormEvent, type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { FaultNote } from './fault-note';

interface Fault {
  readonly error: Error;
  /** The field that the refusal names; undefined for all others. */
  readonly field: string | undefined;
}

interface FormState {
  readonly fault: Fault | null;
  /** A field of that name will show what the server says of it. Returns what takes that back. */
  readonly claim: (name: string) => () => void;
}

/** The form around a field. */
export const FormContext = createContext<FormState | null>(null);

interface FormProps {
  readonly action: string;
  readonly onSubmit: () => Promise<void>;
  readonly isDangerous?: boolean;
  readonly extra?: ReactNode;
  readonly children?: ReactNode;
}

/** Sends once at a time. What the server refuses is said beside the field that it names, or else beside the button. */
export function Form({ action, onSubmit, isDangerous = false, extra, children }: FormProps): ReactNode {
  const [fault, setFault] = useState<Fault | null>(null);
  const [isSending, setSending] = useState(false);
  const sending = useRef(false);
  const names = useRef(new Set<string>());
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    event.stopPropagation(); // a form in a dialog is below that of the page
    if (sending.current) return;
    sending.current = true;
    setSending(true);
    setFault(null);
    try {
      await onSubmit();
    } catch (error) {
      setFault({ error: error as Error, field: fieldIn((error as Error).message, [...names.current]) });
    } finally {
      sending.current = false;
      setSending(false);
    }
  };
  const claim = useCallback((name: string) => {
    names.current.add(name);
    return () => void names.current.delete(name);
  }, []);
  const state = useMemo(() => ({ fault, claim }), [fault, claim]);
  return (
    <FormContext value={state}>
      <form onSubmit={(event) => void submit(event)}>
        {children}
        {fault && fault.field === undefined && <FaultNote error={fault.error} />}
        <div className="actions">
          <button className={isDangerous ? 'primary danger' : 'primary'} disabled={isSending} type="submit">
            {isSending ? 'One moment…' : action}
          </button>
          {extra}
        </div>
      </form>
    </FormContext>
  );
}

/** The field that a refusal names, as a word of its own. */
function fieldIn(message: string, names: readonly string[]): string | undefined {
  const words = new Set(message.split(/[^a-z_]+/i));
  return names.find((name) => words.has(name));
}
