import { Badge, Tabs as MantineTabs } from '@mantine/core';
import type { ReactNode } from 'react';

interface Tab {
  readonly title: string;
  readonly icon?: ReactNode;
  /** Number shown after the title. */
  readonly count?: number | undefined;
  readonly content: () => ReactNode;
}

interface TabsProps {
  /** Name of a tab, from the URL. */
  readonly current: string;
  readonly onChange: (name: string) => void;
  readonly tabs: Readonly<Record<string, Tab>>;
}

/** Tabs; the first one is shown if the URL does not select a valid one. */
export function Tabs({ current, onChange, tabs }: TabsProps): ReactNode {
  const shown = Object.hasOwn(tabs, current) ? current : (Object.keys(tabs)[0] ?? '');
  return (
    <MantineTabs
      value={shown}
      onChange={(name) => name !== null && onChange(name)}
      keepMounted={false}
      activateTabWithKeyboard={false}
    >
      <MantineTabs.List mb="md">
        {Object.entries(tabs).map(([name, { title, icon, count }]) => (
          <MantineTabs.Tab
            key={name}
            value={name}
            leftSection={icon}
            rightSection={
              count !== undefined && (
                <Badge size="xs" variant="default">
                  {count}
                </Badge>
              )
            }
          >
            {title}
          </MantineTabs.Tab>
        ))}
      </MantineTabs.List>
      <MantineTabs.Panel value={shown}>{tabs[shown]?.content()}</MantineTabs.Panel>
    </MantineTabs>
  );
}
