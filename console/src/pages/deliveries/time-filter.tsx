import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { fromLocal, toLocal } from '../../parts/local-time';
import { useFollowing } from '../../parts/text-filter';

interface TimeFilterProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChoose: (value: string | undefined) => void;
}

/** A local date and time, in milliseconds. Applied on Enter or blur, because it has several parts. */
export function TimeFilter({ label, value, onChoose }: TimeFilterProps): ReactNode {
  const before = value === undefined ? '' : toLocal(Number(value));
  const [text, setText] = useFollowing(before);
  const choose = (): void => {
    if (text !== before) onChoose(fromLocal(text)?.toString());
  };
  return (
    <TextInput
      size="xs"
      label={label}
      type="datetime-local"
      step={1}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onBlur={choose}
      onKeyDown={({ key }) => key === 'Enter' && choose()}
    />
  );
}
