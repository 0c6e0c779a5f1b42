import { Select, type SelectProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { optionsOf } from './choice';

interface OneOfProps<V extends string> extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  /** Values and their labels, or values that are shown as they are. */
  readonly choices: Readonly<Record<V, string>> | readonly V[];
  readonly value: V;
  readonly onChange?: (value: V) => void;
}

/** Select whose value is always one of a few. */
export function OneOf<V extends string>({ choices, onChange, ...select }: OneOfProps<V>): ReactNode {
  return (
    <Select
      allowDeselect={false}
      data={isList(choices) ? choices : optionsOf(choices)}
      onChange={(chosen) => chosen !== null && onChange?.(chosen as V)}
      {...select}
    />
  );
}

const isList = (choices: object): choices is readonly string[] => Array.isArray(choices);
