import { Button, Group, Menu, Pill, Popover, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { FaultText } from './fault-note';

/** A filter of a list. */
export interface Filter {
  readonly label: string;
  /** Values and their labels; if undefined, the value is typed. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Example of a typed value. */
  readonly hint?: string;
  /** Text for a value that is not among the choices, such as the name for an id. */
  readonly describe?: (value: string) => ReactNode;
  /** Used instead of a text field. */
  readonly editor?: (onDone: (value: string) => void) => ReactNode;
  /** Why the server refuses the value. */
  readonly fault?: Error | undefined;
}

type Values = Readonly<Record<string, string | undefined>>;

interface FilterChipsProps {
  readonly filters: Readonly<Record<string, Filter>>;
  /** Values of the filters that are set, from the URL. */
  readonly values: Values;
  readonly onChange: (values: Values) => void;
}

/** The filters that are set, each with a button to remove it, and a menu to add one. */
export function FilterChips({ filters, values, onChange }: FilterChipsProps): ReactNode {
  const [typing, setTyping] = useState<string | null>(null);
  const set = Object.entries(filters).filter(([name]) => values[name] !== undefined);
  const change = (name: string, value: string | undefined): void => onChange({ ...values, [name]: value });
  const typed = typing === null ? undefined : filters[typing];
  return (
    <Group gap="xs" role="group" aria-label="Filters">
      {set.map(([name, filter]) => {
        const value = values[name] ?? '';
        const text = `${filter.label}: `;
        const shown = filter.choices?.[value] ?? filter.describe?.(value) ?? value;
        return (
          <Pill
            key={name}
            size="md"
            withRemoveButton
            removeButtonProps={{
              'aria-label': `Remove the filter ${filter.label}`,
              'aria-hidden': false,
              tabIndex: 0,
            }}
            onRemove={() => change(name, undefined)}
          >
            {filter.choices ? (
              <Menu position="bottom-start">
                <Menu.Target>
                  <UnstyledButton fz="sm">
                    {text}
                    {shown}
                  </UnstyledButton>
                </Menu.Target>
                <Menu.Dropdown>
                  {Object.entries(filter.choices).map(([choice, title]) => (
                    <Menu.Item key={choice} onClick={() => change(name, choice)}>
                      {title}
                    </Menu.Item>
                  ))}
                </Menu.Dropdown>
              </Menu>
            ) : (
              <UnstyledButton fz="sm" c={filter.fault && 'red'} onClick={() => setTyping(name)}>
                {text}
                {shown}
              </UnstyledButton>
            )}
          </Pill>
        );
      })}
      <Popover
        opened={typed !== undefined}
        onChange={(is) => !is && setTyping(null)}
        position="bottom-start"
        withRoles={false}
        trapFocus
      >
        <Popover.Target>
          <div>
            <Menu position="bottom-start">
              <Menu.Target>
                <Button variant="default" size="compact-sm" leftSection={<IconPlus size={14} />}>
                  Filter
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {Object.entries(filters).map(([name, { label, choices }]) =>
                  choices ? (
                    <Menu.Sub key={name}>
                      <Menu.Sub.Target>
                        <Menu.Sub.Item>{label}</Menu.Sub.Item>
                      </Menu.Sub.Target>
                      <Menu.Sub.Dropdown>
                        {Object.entries(choices).map(([value, title]) => (
                          <Menu.Item key={value} onClick={() => change(name, value)}>
                            {title}
                          </Menu.Item>
                        ))}
                      </Menu.Sub.Dropdown>
                    </Menu.Sub>
                  ) : (
                    <Menu.Item key={name} onClick={() => setTyping(name)}>
                      {label}…
                    </Menu.Item>
                  ),
                )}
              </Menu.Dropdown>
            </Menu>
          </div>
        </Popover.Target>
        <Popover.Dropdown>
          {typing !== null && typed && (
            <TypedFilter
              key={typing}
              filter={typed}
              value={values[typing] ?? ''}
              onDone={(value) => {
                change(typing, value || undefined);
                setTyping(null);
              }}
            />
          )}
        </Popover.Dropdown>
      </Popover>
      {set.map(
        ([name, { fault }]) =>
          fault && (
            <Text key={name} role="alert" size="sm" c="red">
              <FaultText error={fault} />
            </Text>
          ),
      )}
      {set.length > 1 && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => onChange(without(values, Object.keys(filters)))}
        >
          Clear
        </Button>
      )}
    </Group>
  );
}

interface TypedFilterProps {
  readonly filter: Filter;
  readonly value: string;
  readonly onDone: (value: string) => void;
}

function TypedFilter({ filter, value, onDone }: TypedFilterProps): ReactNode {
  const [text, setText] = useState(value);
  if (filter.editor) return filter.editor(onDone);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onDone(text.trim());
      }}
    >
      <Stack gap="xs">
        <TextInput
          size="xs"
          label={filter.label}
          placeholder={filter.hint}
          data-autofocus
          error={filter.fault !== undefined && text === value}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button type="submit" size="xs">
          Apply
        </Button>
      </Stack>
    </form>
  );
}

const without = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
