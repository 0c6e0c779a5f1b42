import type { ReactNode } from 'react';

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  /** Values and their labels. */
  readonly choices: Readonly<Record<string, string>>;
  readonly onChoose: (value: string | undefined) => void;
}

/** Select for one of a few values, or any. */
export function Choice({ label, value = '', choices, onChoose }: ChoiceProps): ReactNode {
  return (
    <label className="choice">
      <span>{label}</span>
      <select value={value} onChange={({ target }) => onChoose(target.value || undefined)}>
        <option value="">any</option>
        {Object.entries(choices).map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}
