import { type ReactNode, useContext, useEffect, useId, useRef } from 'react';
import { FaultNote } from './fault-note';
import { FormContext } from './form';
import { reveal } from './validation-errors';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** API field names, space-separated; refusals that name one of them are shown here. */
  readonly name?: string;
  /** A checkbox followed by its label. */
  readonly isCheck?: boolean;
  readonly children: ReactNode;
}

/** A labeled control with its error next to it. A refused control gets the focus. */
export function Field({ label, hint, name = '', isCheck = false, children }: FieldProps): ReactNode {
  const id = useId();
  const hintId = useId();
  const hasHint = Boolean(hint);
  const frame = useRef<HTMLDivElement>(null);
  const form = useContext(FormContext);
  const claim = form?.claim;
  const fault = name.split(' ').some((one) => one !== '' && one === form?.fault?.field)
    ? (form?.fault ?? null)
    : null;
  useEffect(() => {
    const releases = name === '' || !claim ? [] : name.split(' ').map(claim);
    return () => releases.forEach((release) => release());
  }, [name, claim]);
  const validationError = form?.validationErrors.get(id);
  useEffect(() => {
    const control = frame.current?.querySelector<HTMLElement>('input, textarea, select');
    if (!control) return undefined;
    const isWrong = fault !== null || validationError !== undefined;
    const about = [isWrong && id, hasHint && hintId].filter(Boolean);
    if (isWrong) {
      control.setAttribute('aria-invalid', 'true');
      reveal(control);
    }
    if (about.length > 0) control.setAttribute('aria-describedby', about.join(' '));
    if (fault) control.focus();
    return () => {
      control.removeAttribute('aria-invalid');
      control.removeAttribute('aria-describedby');
    };
  }, [fault, validationError, id, hintId, hasHint]);
  const isFaulty = fault !== null || validationError !== undefined;
  return (
    <div
      ref={frame}
      data-field={id}
      className={['field', isCheck && 'check', isFaulty && 'faulty'].filter(Boolean).join(' ')}
    >
      <label>
        <span>{label}</span>
        {children}
      </label>
      {hint && (
        <small className="muted" id={hintId}>
          {hint}
        </small>
      )}
      <div id={id}>
        {fault && <FaultNote error={fault.error} meaning={fault.meaning} />}
        {validationError !== undefined && <FaultNote error={new Error(validationError)} />}
      </div>
    </div>
  );
}
