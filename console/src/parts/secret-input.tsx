import { ActionIcon, TextInput, type TextInputProps, Tooltip } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { randomText } from './random-text';

const LENGTH = 32;

interface SecretInputProps extends Omit<TextInputProps, 'onChange'> {
  readonly onChange?: (value: string) => void;
  /** Name of what the button generates. */
  readonly what?: string;
  readonly generate?: () => string;
}

/** A secret that is set here: readable, because it has to be copied, with a button that generates one. */
export function SecretInput({
  onChange,
  what = 'a secret',
  generate = () => randomText(LENGTH),
  ...input
}: SecretInputProps): ReactNode {
  const label = `Generate ${what}`;
  return (
    <TextInput
      autoComplete="off"
      spellCheck={false}
      onChange={({ target }) => onChange?.(target.value)}
      rightSectionPointerEvents="all"
      rightSection={
        <Tooltip label={label}>
          <ActionIcon variant="subtle" aria-label={label} onClick={() => onChange?.(generate())}>
            <IconRefresh size={16} />
          </ActionIcon>
        </Tooltip>
      }
      {...input}
    />
  );
}
