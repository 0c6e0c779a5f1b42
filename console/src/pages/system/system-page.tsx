import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { systemRoute } from '../../app/router';
import { PageHead } from '../../parts/page-head';
import { Tabs } from '../../parts/tabs';
import { Audits } from './audits';
import { Overview } from './overview';
import { SettingsTable } from './settings-table';

/** Server health, settings, and the audit log. */
export function SystemPage(): ReactNode {
  const { tab = 'overview' } = systemRoute.useSearch();
  const navigate = useNavigate();
  return (
    <>
      <PageHead title="System" />
      <Tabs
        current={tab}
        onChange={(name) => void navigate({ to: '/system', search: { tab: name }, replace: true })}
        tabs={{
          overview: { title: 'Overview', content: () => <Overview /> },
          settings: { title: 'Settings', content: () => <SettingsTable /> },
          audits: { title: 'Audit log', content: () => <Audits /> },
        }}
      />
    </>
  );
}
