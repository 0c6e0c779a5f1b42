import {
  createContext,
  type FormEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { FaultNote } from './fault-note';
import { UnsavedContext } from './unsaved';

/** What is known of a refusal beside the server's words. */
export interface Explanation {
  /** The field that it is about; undefined: the whole. */
  readonly field?: string | undefined;
  /** What it means, in plain words. */
  readonly meaning?: string;
}

interface Fault extends Explanation {
  readonly error: Error;
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
  /** Where the words of a refusal do not name its field, or need to be explained. */
  readonly explain?: (error: Error) => Explanation | undefined;
  readonly isDangerous?: boolean;
  readonly extra?: ReactNode;
  readonly children?: ReactNode;
}

/** Sends once at a time. What the server refuses is said beside the field that it names, or else beside the button. */
export function Form({
  action,
  onSubmit,
  explain,
  isDangerous = false,
  extra,
  children,
}: FormProps): ReactNode {
  const [fault, setFault] = useState<Fault | null>(null);
  const [isSending, setSending] = useState(false);
  const sending = useRef(false);
  const names = useRef(new Set<string>());
  const tellUnsaved = useContext(UnsavedContext);
  useEffect(() => () => tellUnsaved(false), [tellUnsaved]);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    event.stopPropagation(); // a form in a dialog is below that of the page
    if (sending.current) return;
    sending.current = true;
    setSending(true);
    setFault(null);
    try {
      await onSubmit();
    } catch (reason) {
      const error = reason as Error;
      const known = explain?.(error) ?? { field: fieldIn(error.message, names.current) };
      const isShown = known.field !== undefined && names.current.has(known.field);
      setFault({ ...known, error, field: isShown ? known.field : undefined });
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
      <form onSubmit={(event) => void submit(event)} onInput={() => tellUnsaved(true)}>
        {children}
        {fault && fault.field === undefined && <FaultNote error={fault.error} meaning={fault.meaning} />}
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

/** The field that a refusal names first, as a word of its own. */
function fieldIn(message: string, names: ReadonlySet<string>): string | undefined {
  return message.split(/[^a-z_]+/i).find((word) => names.has(word));
}
