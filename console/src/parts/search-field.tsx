import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';

interface SearchFieldProps {
  readonly label: string;
  /** Search text from the URL. */
  readonly value: string;
  readonly onSearch: (text: string) => void;
}

/**
 * Syncs the text with the URL on each keystroke, and follows other URL changes. URL updates arrive late: a
 * field controlled by the URL would lose the caret and characters.
 */
export function SearchField({ label, value, onSearch }: SearchFieldProps): ReactNode {
  const [{ text, seen, written }, setState] = useState({ text: value, seen: value, written: [] as string[] });
  if (value !== seen) {
    const at = written.indexOf(value);
    setState({
      text: at === -1 ? value : text,
      seen: value,
      written: at === -1 ? [] : written.slice(at + 1),
    });
  }
  const type = (typed: string): void => {
    setState({ text: typed, seen, written: [...written, typed] });
    onSearch(typed);
  };
  return (
    <TextInput
      type="search"
      size="xs"
      w={240}
      maw="100%"
      leftSection={<IconSearch size={14} />}
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={({ target }) => type(target.value)}
    />
  );
}
