import { ActionIcon, AppShell, Group, NavLink, ScrollArea, Text, Tooltip } from '@mantine/core';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Brand } from '../brand/brand';
import { AccountMenu } from './account-menu';
import { groupsFor, type Page } from './pages';
import { useRights } from './rights';
import { TeamSwitcher } from './team-switcher';

interface SidebarProps {
  /** Only icons. */
  readonly isNarrow: boolean;
  readonly onResize: () => void;
  readonly onKeys: () => void;
}

/** The brand, the pages that the user can use, the team, and the account. */
export function Sidebar({ isNarrow, onResize, onKeys }: SidebarProps): ReactNode {
  const resize = isNarrow ? 'Expand the sidebar' : 'Collapse the sidebar';
  return (
    <>
      <AppShell.Section className="sidebar-head">
        <Link to="/" aria-label="Hookline: overview" className="brand">
          <Brand isShort={isNarrow} />
        </Link>
        {!isNarrow && <Resize label={resize} isNarrow={false} onClick={onResize} />}
      </AppShell.Section>
      <AppShell.Section grow component={ScrollArea} type="auto" scrollbarSize={6}>
        {groupsFor(useRights()).map(({ title, pages }) => (
          <div key={pages[0]?.to} role="group" aria-label={title || pages[0]?.title} className="page-group">
            {!isNarrow && title !== '' && (
              <Text className="group-title" aria-hidden="true">
                {title}
              </Text>
            )}
            {pages.map((page) => (
              <PageLink key={page.to} page={page} isNarrow={isNarrow} />
            ))}
          </div>
        ))}
      </AppShell.Section>
      <AppShell.Section className="sidebar-foot">
        {isNarrow && (
          <Group justify="center" visibleFrom="sm">
            <Resize label={resize} isNarrow onClick={onResize} />
          </Group>
        )}
        <TeamSwitcher isNarrow={isNarrow} />
        <AccountMenu isNarrow={isNarrow} onKeys={onKeys} />
      </AppShell.Section>
    </>
  );
}

interface ResizeProps {
  readonly label: string;
  readonly isNarrow: boolean;
  readonly onClick: () => void;
}

function Resize({ label, isNarrow, onClick }: ResizeProps): ReactNode {
  const Icon = isNarrow ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <Tooltip label={label} position="right">
      <ActionIcon aria-label={label} onClick={onClick} visibleFrom="sm">
        <Icon size={18} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}

interface PageLinkProps {
  readonly page: Page;
  readonly isNarrow: boolean;
}

function PageLink({ page: { to, title, icon: Icon }, isNarrow }: PageLinkProps): ReactNode {
  const link = (
    <NavLink
      label={isNarrow ? undefined : title}
      aria-label={title}
      leftSection={<Icon size={18} stroke={1.6} aria-hidden="true" />}
      renderRoot={(props) => (
        <Link
          {...props}
          to={to}
          activeOptions={{ exact: to === '/', includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
        />
      )}
    />
  );
  return isNarrow ? (
    <Tooltip label={title} position="right">
      {link}
    </Tooltip>
  ) : (
    link
  );
}
