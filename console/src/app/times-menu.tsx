import { Menu } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { setTimePreference, type TimePreference, useTimePreference } from '../parts/clock';

/** Ways to show times. */
export const TIMES: Readonly<Record<TimePreference, string>> = {
  relative: 'Relative',
  absolute: 'Local',
  utc: 'UTC',
};

/** Chooses how times are shown. */
export function TimesMenu(): ReactNode {
  const preferred = useTimePreference();
  return (
    <Menu.Sub>
      <Menu.Sub.Target>
        <Menu.Sub.Item leftSection={<IconClock size={16} stroke={1.6} />}>
          Times: {TIMES[preferred]}
        </Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>
        <Menu.RadioGroup value={preferred} onChange={(chosen) => setTimePreference(chosen as TimePreference)}>
          {Object.entries(TIMES).map(([name, title]) => (
            <Menu.RadioItem key={name} value={name}>
              {title}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  );
}
