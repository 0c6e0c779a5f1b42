import { type ReactNode, useId, useState } from 'react';
import { FaultNote } from './fault-note';

interface TextFilterProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly hint: string;
  readonly isShort?: boolean;
  /** Server error about the value. */
  readonly fault?: Error | undefined;
  /** Suggested values and their descriptions. */
  readonly choices?: Readonly<Record<string, string>>;
  readonly onChoose: (value: string | undefined) => void;
}

/** Text filter applied on Enter, on blur, and on picking a suggestion, not on each keystroke. */
export function TextFilter({
  label,
  value = '',
  hint,
  isShort = false,
  fault,
  choices,
  onChoose,
}: TextFilterProps): ReactNode {
  const [text, setText] = useFollowing(value);
  const list = useId();
  const note = useId();
  const choose = (entered: string): void => {
    if (entered.trim() !== value) onChoose(entered.trim() || undefined);
  };
  const change = (entered: string, isWhole: boolean): void => {
    setText(entered);
    if (isWhole) choose(entered);
  };
  return (
    <form
      className={fault ? 'choice faulty' : 'choice'}
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(text.trim() || undefined);
      }}
    >
      <label>
        <span>{label}</span>{' '}
        <input
          type="search"
          placeholder={hint}
          size={isShort ? 10 : 22}
          value={text}
          list={choices && list}
          aria-invalid={fault !== undefined}
          aria-describedby={fault && note}
          onChange={({ target, nativeEvent }) =>
            change(target.value, target.value === '' || isPick(nativeEvent))
          }
          onBlur={() => choose(text)}
        />
      </label>
      {fault && (
        <div id={note}>
          <FaultNote error={fault} />
        </div>
      )}
      {choices && (
        <datalist id={list}>
          {Object.entries(choices).map(([one, title]) => (
            <option key={one} value={one}>
              {title}
            </option>
          ))}
        </datalist>
      )}
    </form>
  );
}

/** Whether a suggestion was picked. */
export const isPick = (event: Event): boolean =>
  'inputType' in event && event.inputType === 'insertReplacementText';

/** Editable text that resets when `origin` changes; the field and its focus are kept. */
export function useFollowing(origin: string): [text: string, set: (text: string) => void] {
  const [text, setText] = useState(origin);
  const [seen, setSeen] = useState(origin);
  if (origin !== seen) {
    setSeen(origin);
    setText(origin);
  }
  return [text, setText];
}
