import { Select, type SelectProps } from '@mantine/core';
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useSettled } from './use-settled';

/** A record that a `Picker` offers. */
export interface PickerOption {
  readonly value: string;
  readonly label: string;
}

interface PickerProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  readonly queryKey: QueryKey;
  /** Records that match a text; all or the first ones for an empty text. */
  readonly find: (term: string) => Promise<readonly PickerOption[]>;
  /** Id of the picked record, or empty. */
  readonly value: string;
  /** Name of the picked record, if it may not be among the found ones. */
  readonly valueLabel?: string;
  readonly onChange?: (value: string) => void;
}

/** Picks a record, which the server finds as the user types. */
export function Picker({ queryKey, find, value, valueLabel, onChange, ...select }: PickerProps): ReactNode {
  const [term, setTerm] = useState('');
  const [picked, setPicked] = useState<PickerOption>({ value, label: valueLabel ?? value });
  const [isWanted, setWanted] = useState(false);
  const asked = useSettled(term === picked.label ? '' : term.trim());
  const {
    data: found = [],
    isFetching,
    error,
  } = useQuery({
    queryKey: [...queryKey, asked],
    queryFn: () => find(asked),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  });
  const isMissing = value !== '' && !found.some((one) => one.value === value);
  const present = picked.value === value ? picked : { value, label: valueLabel ?? value };
  return (
    <Select
      searchable
      clearable={!select.required}
      loading={isWanted && isFetching}
      nothingFoundMessage={error ? error.message : isFetching ? 'Searching…' : 'No results'}
      filter={({ options }) => options} // the server has filtered
      data={isMissing ? [present, ...found] : found}
      value={value || null}
      searchValue={term}
      onSearchChange={setTerm}
      onFocus={() => setWanted(true)}
      onChange={(id, option) => {
        setPicked({ value: id ?? '', label: option?.label ?? '' });
        onChange?.(id ?? '');
      }}
      {...select}
    />
  );
}
