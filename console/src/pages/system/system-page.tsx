import { IconHeartbeat, IconSettings } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { systemRoute } from '../../app/router';
import { PageHead } from '../../parts/page-head';
import { Tabs } from '../../parts/tabs';
import { HealthPage } from './health';
import { SettingsTable } from './settings-table';

/** Server health and settings. */
export function SystemPage(): ReactNode {
  const { tab = 'health' } = systemRoute.useSearch();
  const navigate = useNavigate();
  return (
    <>
      <PageHead title="System" />
      <Tabs
        current={tab}
        onChange={(name) => void navigate({ to: '/system', search: name === 'health' ? {} : { tab: name } })}
        tabs={{
          health: { title: 'Health', icon: <IconHeartbeat size={16} />, content: () => <HealthPage /> },
          settings: { title: 'Settings', icon: <IconSettings size={16} />, content: () => <SettingsTable /> },
        }}
      />
    </>
  );
}
