import { type ReactNode, useState } from 'react';

interface SearchFieldProps {
  readonly label: string;
  /** What is looked for, as the address has it. */
  readonly value: string;
  readonly onSearch: (text: string) => void;
}

/**
 * Writes what is typed to the address, letter by letter, and follows the address when it changes otherwise. The address tells
 * late what was written to it: a field that waited for it would lose the caret, and letters.
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
    <input
      type="search"
      aria-label={label}
      placeholder="Search"
      value={text}
      onChange={({ target }) => type(target.value)}
    />
  );
}
