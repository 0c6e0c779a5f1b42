import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

interface TabsProps {
  readonly current: string;
  readonly onChange: (name: string) => void;
  readonly tabs: Readonly<Record<string, { readonly title: string; readonly content: () => ReactNode }>>;
}

/** Tabs; the first one is shown if the URL does not select a valid one. */
export function Tabs({ current, onChange, tabs }: TabsProps): ReactNode {
  const shown = Object.hasOwn(tabs, current) ? current : (Object.keys(tabs)[0] ?? '');
  return (
    <BaseTabs.Root value={shown} onValueChange={(value: string) => onChange(value)}>
      <BaseTabs.List className="tabs">
        {Object.entries(tabs).map(([name, { title }]) => (
          <BaseTabs.Tab key={name} value={name}>
            {title}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      <BaseTabs.Panel value={shown}>{tabs[shown]?.content()}</BaseTabs.Panel>
    </BaseTabs.Root>
  );
}
