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
import { DialogContext } from './dialog-context';
import { FaultNote } from './fault-note';
import { fieldOf, flawedIn, type Flaws, flawsOf } from './flaws';

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
  readonly flaws: Flaws;
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
  /** It cuts something off, or deletes it. */
  readonly isDangerous?: boolean;
  /** It is not what its dialog is for, and offers no way out of it. */
  readonly isPart?: boolean;
  /** What is typed is kept as a draft, so nobody loses it by leaving. */
  readonly isKept?: boolean;
  readonly extra?: ReactNode;
  readonly children?: ReactNode;
}

const NO_FLAWS: Flaws = new Map();

/**
 * Sends once at a time, and nothing that its controls do not allow. What is wrong, also by the server, is said beside the field that
 * it is about, or else beside the button.
 */
export function Form({
  action,
  onSubmit,
  explain,
  isDangerous = false,
  isPart = false,
  isKept = false,
  extra,
  children,
}: FormProps): ReactNode {
  const [fault, setFault] = useState<Fault | null>(null);
  const [isSending, setSending] = useState(false);
  const sending = useRef(false);
  const names = useRef(new Set<string>());
  const [flaws, setFlaws] = useState(NO_FLAWS);
  const isTyped = useRef(false);
  const { tellUnsaved, tellSending, dismiss } = useContext(DialogContext);
  useEffect(
    () => () => {
      tellUnsaved(false);
      tellSending(false);
    },
    [tellUnsaved, tellSending],
  );
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    event.stopPropagation(); // a form in a dialog is below that of the page
    if (sending.current) return;
    setFault(null);
    const flawed = flawedIn(event.currentTarget);
    setFlaws(flawsOf(flawed));
    flawed[0]?.focus();
    if (flawed.length > 0) return;
    sending.current = true;
    setSending(true);
    tellSending(true);
    tellUnsaved(false); // what is saved may lead to another page
    try {
      await onSubmit();
      isTyped.current = false;
    } catch (reason) {
      tellUnsaved(isTyped.current);
      const error = reason as Error;
      const known = explain?.(error) ?? { field: fieldIn(error.message, names.current) };
      const isShown = known.field !== undefined && names.current.has(known.field);
      setFault({ ...known, error, field: isShown ? known.field : undefined });
    } finally {
      sending.current = false;
      setSending(false);
      tellSending(false);
    }
  };
  const claim = useCallback((name: string) => {
    names.current.add(name);
    return () => void names.current.delete(name);
  }, []);
  const input = ({ target }: FormEvent): void => {
    if (!isKept) tellUnsaved((isTyped.current = true));
    const field = target instanceof Element ? fieldOf(target) : '';
    setFlaws((now) => (now.has(field) ? new Map([...now].filter(([one]) => one !== field)) : now));
  };
  const state = useMemo(() => ({ fault, flaws, claim }), [fault, flaws, claim]);
  const flaw = flaws.get('');
  const isInDialog = dismiss !== undefined && !isPart;
  return (
    <FormContext value={state}>
      <form noValidate onSubmit={(event) => void submit(event)} onInput={input}>
        {children}
        {fault && fault.field === undefined && <FaultNote error={fault.error} meaning={fault.meaning} />}
        {flaw !== undefined && <FaultNote error={new Error(flaw)} />}
        <div className={isInDialog ? 'actions foot' : 'actions'}>
          {isInDialog && (
            <button className="cancel" type="button" onClick={dismiss} disabled={isSending}>
              Cancel
            </button>
          )}
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
