import { Autocomplete, type ComboboxParsedItem } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FaultText } from './fault-note';

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
  choices = {},
  onChoose,
}: TextFilterProps): ReactNode {
  const [text, setText] = useFollowing(value);
  const describe = (one: string): string => choices[one] ?? one;
  const isFound = (option: ComboboxParsedItem, term: string): boolean =>
    'value' in option &&
    `${option.value} ${describe(option.value)}`.toLowerCase().includes(term.toLowerCase());
  const choose = (entered: string): void => {
    if (entered.trim() !== value) onChoose(entered.trim() || undefined);
  };
  const change = (entered: string): void => {
    setText(entered);
    if (entered === '') choose(entered);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(text.trim() || undefined);
      }}
    >
      <Autocomplete
        type="search"
        size="xs"
        w={isShort ? 130 : 220}
        label={label}
        placeholder={hint}
        data={Object.keys(choices)}
        filter={({ options, search }) => options.filter((one) => isFound(one, search))}
        renderOption={({ option }) => describe(option.value)}
        error={fault && <FaultText error={fault} />}
        value={text}
        onChange={change}
        onOptionSubmit={choose}
        onBlur={() => choose(text)}
      />
    </form>
  );
}

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
