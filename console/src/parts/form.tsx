import { Button, Group } from '@mantine/core';
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
import { invalidControlsIn, reveal, type ValidationErrors, validationErrorsOf } from './validation-errors';

/** Additional information about a refusal. */
export interface Explanation {
  /** Field it concerns; undefined for the whole form. */
  readonly field?: string | undefined;
  /** Plain-language explanation. */
  readonly meaning?: string;
}

interface Fault extends Explanation {
  readonly error: Error;
}

interface FormState {
  readonly fault: Fault | null;
  readonly validationErrors: ValidationErrors;
  /** Registers a field that shows its own server errors. Returns a function that unregisters it. */
  readonly claim: (name: string) => () => void;
  /** Called with the id of a field on each change. */
  readonly touch: (fieldId: string) => void;
}

/** The form around a field. */
export const FormContext = createContext<FormState | null>(null);

interface FormProps {
  readonly action: string;
  readonly onSubmit: () => Promise<void>;
  /** Set if refusals do not name their field or need an explanation. */
  readonly explain?: (error: Error) => Explanation | undefined;
  /** Marks a destructive action. */
  readonly isDangerous?: boolean;
  /** A secondary form in a dialog, without a cancel button. */
  readonly isPart?: boolean;
  /** Input is saved as a draft, so it is not lost on leaving. */
  readonly isKept?: boolean;
  readonly extra?: ReactNode;
  readonly children?: ReactNode;
}

const NO_ERRORS: ValidationErrors = new Map();

/**
 * Validates before submitting, and submits once at a time. Errors, including those from the server, are shown
 * next to their field, or else next to the button.
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
  const [validationErrors, setValidationErrors] = useState(NO_ERRORS);
  const isTyped = useRef(false);
  const { reportUnsaved, reportSending, dismiss } = useContext(DialogContext);
  useEffect(
    () => () => {
      reportUnsaved(false);
      reportSending(false);
    },
    [reportUnsaved, reportSending],
  );
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    event.stopPropagation(); // React bubbles events from a dialog to the page's form
    if (sending.current) return;
    setFault(null);
    const controls = invalidControlsIn(event.currentTarget);
    setValidationErrors(validationErrorsOf(controls));
    const [first] = controls;
    if (first) {
      reveal(first);
      return first.focus();
    }
    sending.current = true;
    setSending(true);
    reportSending(true);
    reportUnsaved(false); // saving may navigate away
    try {
      await onSubmit();
      isTyped.current = false;
    } catch (reason) {
      reportUnsaved(isTyped.current);
      const error = reason as Error;
      const known = explain?.(error) ?? { field: fieldIn(error.message, names.current) };
      const isShown = known.field !== undefined && names.current.has(known.field);
      setFault({ ...known, error, field: isShown ? known.field : undefined });
    } finally {
      sending.current = false;
      setSending(false);
      reportSending(false);
    }
  };
  const claim = useCallback((name: string) => {
    names.current.add(name);
    return () => void names.current.delete(name);
  }, []);
  const touch = useCallback(
    (field: string) => {
      if (!isKept) reportUnsaved((isTyped.current = true));
      setValidationErrors((now) =>
        now.has(field) ? new Map([...now].filter(([one]) => one !== field)) : now,
      );
    },
    [isKept, reportUnsaved],
  );
  const state = useMemo(
    () => ({ fault, validationErrors, claim, touch }),
    [fault, validationErrors, claim, touch],
  );
  const validationError = validationErrors.get('');
  const isInDialog = dismiss !== undefined && !isPart;
  return (
    <FormContext value={state}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        {children}
        {fault && fault.field === undefined && <FaultNote error={fault.error} meaning={fault.meaning} />}
        {validationError !== undefined && <FaultNote error={new Error(validationError)} />}
        <Group gap="xs" {...(isInDialog && { className: 'form-foot', justify: 'flex-end' })}>
          {isInDialog && (
            <Button className="cancel" variant="default" onClick={dismiss} disabled={isSending}>
              Cancel
            </Button>
          )}
          <Button type="submit" loading={isSending} {...(isDangerous && { color: 'red' })}>
            {action}
          </Button>
          {extra}
        </Group>
      </form>
    </FormContext>
  );
}

/** The first field name that appears as a word in the message. */
function fieldIn(message: string, names: ReadonlySet<string>): string | undefined {
  return message.split(/[^a-z_]+/i).find((word) => names.has(word));
}
