import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { systemRoute } from '../../app/router';
import { PageHead } from '../../parts/page-head';
import { Tabs } from '../../parts/tabs';
import { Overview } from './overview';
import { SettingsTable } from './settings-table';

/** Server health and settings. */
export function SystemPage(): ReactNode {
  const { tab = 'overview' } = systemRoute.useSearch();
  const navigate = useNavigate();
  return (
    <>
      <PageHead title="System" />
      <Tabs
        current={tab}
        onChange={(name) => void navigate({ to: '/system', search: { tab: name } })}
        tabs={{
          overview: { title: 'Overview', content: () => <Overview /> },
          settings: { title: 'Settings', content: () => <SettingsTable /> },
        }}
      />
    </>
  );
}
