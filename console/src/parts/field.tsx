import { cloneElement, type ReactElement, type ReactNode, useContext, useEffect, useId, useRef } from 'react';
import { FaultText } from './fault-note';
import { FormContext } from './form';
import { reveal } from './validation-errors';

/** Props that a control in a field gets, as all inputs of Mantine have them. */
interface ControlProps {
  readonly label?: ReactNode;
  readonly description?: ReactNode;
  readonly error?: ReactNode;
  readonly autoFocus?: boolean;
  readonly 'aria-invalid'?: boolean;
  readonly onChange?: (...changed: never[]) => void;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** API field names, space-separated; refusals that name one of them are shown here. */
  readonly name?: string;
  /** An input of Mantine, or a part with its props. */
  readonly children: ReactElement<ControlProps>;
}

/** An input with its label, hint and errors: its own and those of the server. A refused input gets the focus. */
export function Field({ label, hint, name = '', children }: FieldProps): ReactNode {
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const form = useContext(FormContext);
  const claim = form?.claim;
  const fault = name.split(' ').some((one) => one !== '' && one === form?.fault?.field) ? form?.fault : null;
  useEffect(() => {
    const releases = name === '' || !claim ? [] : name.split(' ').map(claim);
    return () => releases.forEach((release) => release());
  }, [name, claim]);
  useEffect(() => {
    const control =
      fault && frame.current?.querySelector<HTMLElement>('input:not([type=hidden]), textarea, select');
    if (!control) return;
    reveal(control);
    control.focus();
  }, [fault]);
  const validationError = form?.validationErrors.get(id);
  const { autoFocus, onChange } = children.props;
  return (
    <div ref={frame} data-field={id} className="field">
      {cloneElement(children, {
        label,
        description: hint,
        error: fault ? (
          <span role="alert">
            <FaultText error={fault.error} meaning={fault.meaning} />
          </span>
        ) : (
          validationError !== undefined && <span role="alert">{validationError}</span>
        ),
        onChange: (...changed) => {
          form?.touch(id);
          onChange?.(...changed);
        },
        ...((fault || validationError !== undefined) && { 'aria-invalid': true }), // not set by PasswordInput
        ...(autoFocus && { 'data-autofocus': true }), // dialogs focus only this
        ...{ withAsterisk: false }, // it would be part of the name; forms.css draws it
      })}
    </div>
  );
}
