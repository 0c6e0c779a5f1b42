import { Select } from '@mantine/core';
import type { ReactNode } from 'react';

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  /** Values and their labels. */
  readonly choices: Readonly<Record<string, string>>;
  readonly onChoose: (value: string | undefined) => void;
}

/** Filter for one of a few values, or any. */
export function Choice({ label, value, choices, onChoose }: ChoiceProps): ReactNode {
  return (
    <Select
      size="xs"
      w={150}
      label={label}
      placeholder="Any"
      clearable
      data={optionsOf(choices)}
      value={value ?? null}
      onChange={(chosen) => onChoose(chosen ?? undefined)}
    />
  );
}

interface Option {
  readonly value: string;
  readonly label: string;
}

/** Data of a Mantine select, from values and their labels. */
export const optionsOf = (choices: Readonly<Record<string, string>>): Option[] =>
  Object.entries(choices).map(([value, label]) => ({ value, label }));
