import { Badge, Code, Group, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { systemRoute } from '../../app/router';
import { type Column, DataTable } from '../../parts/data-table';
import { Empty } from '../../parts/empty';
import { Loaded } from '../../parts/loaded';
import { Markdown } from '../../parts/markdown';
import { SearchField } from '../../parts/search-field';
import { type Setting, settingsInForce } from './system-queries';

const ORIGINS: Readonly<Record<Setting['origin'], string>> = {
  default: 'default',
  environment: 'environment',
  file: '.env file',
};

/** All effective settings, and where their values come from. */
export function SettingsTable(): ReactNode {
  const { search = '', set } = systemRoute.useSearch();
  const navigate = useNavigate();
  const look = (text: string, isSet: boolean): void =>
    void navigate({
      to: '/system',
      search: { tab: 'settings', ...(text && { search: text }), ...(isSet && { set: 'only' }) },
      replace: isSet === (set !== undefined) && search !== '',
    });
  const isWanted = (setting: Setting): boolean =>
    fits(setting, search) && (set === undefined || setting.origin !== 'default');
  return (
    <Loaded query={useQuery(settingsInForce)}>
      {({ process, settings }) => (
        <>
          <Group gap="lg" mb="xs">
            <SearchField
              label="Search settings"
              value={search}
              onSearch={(text) => look(text, set !== undefined)}
            />
            <Switch
              size="xs"
              label="Only changed settings"
              checked={set !== undefined}
              onChange={({ target }) => look(search, target.checked)}
            />
          </Group>
          <Text size="sm" c="dimmed" mb="sm">
            Settings of process {process.process_id}
            {process.is_one_of_several && '; others may have been started with other settings'}. Change them
            in the environment or in <Code>.env</Code>; changes take effect at the next start.
          </Text>
          <DataTable
            label="Settings"
            columns={COLUMNS}
            rows={settings.filter(isWanted)}
            keyOf={({ name }) => name}
            empty={<Empty text="No settings match." />}
          />
        </>
      )}
    </Loaded>
  );
}

function fits({ name, meaning, section, origin }: Setting, search: string): boolean {
  const text = `${name} ${meaning} ${section} ${ORIGINS[origin]}`.toLowerCase();
  return text.includes(search.toLowerCase());
}

const COLUMNS: readonly Column<Setting>[] = [
  {
    title: 'Setting',
    cell: ({ name, meaning }) => (
      <>
        <Text span ff="monospace" size="sm" fw={600}>
          {name}
        </Text>
        <Text component="div" size="xs" c="dimmed">
          <Markdown text={withoutLinks(meaning)} />
        </Text>
      </>
    ),
  },
  {
    title: 'Value',
    width: '28%',
    cell: ({ value, is_hidden: isHidden }) =>
      isHidden ? (
        <Text span size="sm" c="dimmed">
          set, not shown
        </Text>
      ) : (
        <Code>{value || '(none)'}</Code>
      ),
  },
  {
    title: 'Source',
    width: '16%',
    cell: ({ origin, default_value: fallback, value }) => (
      <div>
        {origin === 'default' ? (
          <Text span size="sm" c="dimmed">
            {ORIGINS[origin]}
          </Text>
        ) : (
          <Badge>{ORIGINS[origin]}</Badge>
        )}
        {origin !== 'default' && fallback !== '' && fallback !== value && (
          <Text size="xs" c="dimmed">
            default <Code>{fallback}</Code>
          </Text>
        )}
      </div>
    ),
  },
  {
    title: 'Section',
    width: '14%',
    onPhone: 'hidden',
    cell: ({ section }) => (
      <Text size="sm" c="dimmed">
        {section}
      </Text>
    ),
  },
];

/** Removes links, which point to other documentation pages. */
const withoutLinks = (text: string): string => text.replace(/\[([^\]]{1,200})\]\([^)]{1,200}\)/g, '$1');
