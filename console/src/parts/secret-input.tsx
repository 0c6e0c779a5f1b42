import { ActionIcon, Group, TextInput, type TextInputProps, Tooltip } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Copy } from './copy';
import { randomText } from './random-text';

const LENGTH = 32;

interface SecretInputProps extends Omit<TextInputProps, 'onChange'> {
  readonly onChange?: (value: string) => void;
  /** Name of what the button generates. */
  readonly what?: string;
  readonly generate?: () => string;
}

/** A secret that is set here: readable, because it has to be copied, with buttons that do so and that generate one. */
export function SecretInput({
  onChange,
  what = 'a secret',
  generate = () => randomText(LENGTH),
  ...input
}: SecretInputProps): ReactNode {
  const label = `Generate ${what}`;
  const isFilled = input.value !== undefined && input.value !== '';
  return (
    <TextInput
      autoComplete="off"
      spellCheck={false}
      onChange={({ target }) => onChange?.(target.value)}
      rightSectionPointerEvents="all"
      rightSectionWidth={isFilled ? 68 : undefined}
      rightSection={
        <Group gap={2} wrap="nowrap" justify="flex-end">
          {isFilled && <Copy text={String(input.value)} label="Copy the value" />}
          <Tooltip label={label}>
            <ActionIcon variant="subtle" aria-label={label} onClick={() => onChange?.(generate())}>
              <IconRefresh size={16} />
            </ActionIcon>
          </Tooltip>
        </Group>
      }
      {...input}
    />
  );
}
