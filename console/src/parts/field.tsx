import { type ReactNode, useContext, useEffect, useId, useRef } from 'react';
import { FaultNote } from './fault-note';
import { FormContext } from './form';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The field of the API that it fills: a refusal that names it is shown here. */
  readonly name?: string;
  /** What is wrong before anything is sent. */
  readonly fault?: string | undefined;
  readonly children: ReactNode;
}

/** A control with its name, and what is wrong beside it. A refused one gets the focus. */
export function Field({ label, hint, name, fault, children }: FieldProps): ReactNode {
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const form = useContext(FormContext);
  const claim = form?.claim;
  const refusal = name !== undefined && form?.fault?.field === name ? form.fault.error : null;
  useEffect(() => (name === undefined ? undefined : claim?.(name)), [name, claim]);
  useEffect(() => {
    const control = frame.current?.querySelector<HTMLElement>('input, textarea, select');
    if (!control || !refusal) return undefined;
    control.setAttribute('aria-invalid', 'true');
    control.setAttribute('aria-describedby', id);
    control.focus();
    return () => {
      control.removeAttribute('aria-invalid');
      control.removeAttribute('aria-describedby');
    };
  }, [refusal, id]);
  return (
    <div ref={frame} className={(refusal ?? fault) ? 'field faulty' : 'field'}>
      <label>
        <span>{label}</span>
        {children}
      </label>
      {hint && <small className="muted">{hint}</small>}
      <div id={id}>
        {refusal && <FaultNote error={refusal} />}
        {fault && (
          <small className="fault" role="alert">
            {fault}
          </small>
        )}
      </div>
    </div>
  );
}
