import { type ReactNode, useId } from 'react';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong, in the server's words. */
  readonly fault?: string | undefined;
  readonly children: ReactNode;
}

/** A control with its name, and what is wrong beside it. */
export function Field({ label, hint, fault, children }: FieldProps): ReactNode {
  const id = useId();
  return (
    <div className={fault ? 'field faulty' : 'field'}>
      <label>
        <span>{label}</span>
        {children}
      </label>
      {hint && <small className="muted">{hint}</small>}
      {fault && (
        <small id={id} className="fault" role="alert">
          {fault}
        </small>
      )}
    </div>
  );
}
