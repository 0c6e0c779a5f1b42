import {
  type Icon,
  IconActivity,
  IconAffiliate,
  IconArrowDownLeft,
  IconArrowUpRight,
  IconBuilding,
  IconHash,
  IconHistory,
  IconLayoutDashboard,
  IconServerCog,
  IconTargetArrow,
  IconUsers,
} from '@tabler/icons-react';
import type { NavigateOptions } from '@tanstack/react-router';

/** Who can use a page. */
type For = 'everyone' | 'webhook managers' | 'administrators';

/** A page of the navigation. */
export interface Page {
  readonly to: NonNullable<NavigateOptions['to']>;
  /** Title in the navigation; short, because its group has a title too. */
  readonly title: string;
  /** Title of the page itself. */
  readonly heading?: string;
  readonly icon: Icon;
  readonly isFor: For;
}

interface PageGroup {
  readonly title: string;
  readonly pages: readonly Page[];
}

/** All pages, in the order of the navigation. */
const GROUPS: readonly PageGroup[] = [
  {
    title: '',
    pages: [{ to: '/', title: 'Overview', icon: IconLayoutDashboard, isFor: 'everyone' }],
  },
  {
    title: 'Messages',
    pages: [{ to: '/channels', title: 'Channels', icon: IconHash, isFor: 'everyone' }],
  },
  {
    title: 'Webhooks',
    pages: [
      {
        ...{ to: '/incoming', title: 'Incoming', heading: 'Incoming webhooks' },
        ...{ icon: IconArrowDownLeft, isFor: 'webhook managers' },
      },
      {
        ...{ to: '/outgoing', title: 'Outgoing', heading: 'Outgoing webhooks' },
        ...{ icon: IconArrowUpRight, isFor: 'webhook managers' },
      },
      { to: '/deliveries', title: 'Deliveries', icon: IconActivity, isFor: 'administrators' },
      { to: '/endpoints', title: 'Endpoints', icon: IconTargetArrow, isFor: 'administrators' },
    ],
  },
  {
    title: '',
    pages: [
      {
        ...{ to: '/connections', title: 'Connections', heading: 'Secure connections' },
        ...{ icon: IconAffiliate, isFor: 'administrators' },
      },
    ],
  },
  {
    title: 'Administration',
    pages: [
      { to: '/people', title: 'People', icon: IconUsers, isFor: 'administrators' },
      { to: '/teams', title: 'Teams', icon: IconBuilding, isFor: 'administrators' },
      { to: '/audit', title: 'Audit', heading: 'Audit log', icon: IconHistory, isFor: 'administrators' },
      { to: '/system', title: 'System', icon: IconServerCog, isFor: 'administrators' },
    ],
  },
];

/** A place that the palette leads to. */
export interface Target {
  readonly to: Page['to'];
  readonly search: Readonly<Record<string, string>>;
  readonly title: string;
  readonly isFor: For;
}

/** Parts of pages that the palette finds. */
const SUB_PAGES: readonly Target[] = [
  ...admin('/deliveries', {
    'Failed deliveries': { status: 'failed' },
    'Waiting deliveries': { status: 'pending' },
    'Retrying deliveries': { status: 'retrying' },
  }),
  ...admin('/endpoints', {
    'Failing endpoints': { state: 'failing' },
    'Disabled endpoints': { state: 'disabled' },
  }),
  ...admin('/connections', {
    'Offline connections': { state: 'offline' },
    'Pending invites': { state: 'invited' },
  }),
  ...admin('/people', { Bots: { tab: 'bots' }, 'Access tokens': { tab: 'tokens' } }),
  ...admin('/audit', { 'Refused actions': { result: 'fail' } }),
  ...admin('/system', { Settings: { tab: 'settings' } }),
  { to: '/account', search: {}, title: 'Your account', isFor: 'everyone' },
];

/** Actions of pages that the palette finds: `open` is a dialog, see `useOpened`. */
const PAGE_ACTIONS: readonly Target[] = [
  {
    ...{ to: '/incoming', search: { open: 'add' }, title: 'Add an incoming webhook' },
    isFor: 'webhook managers',
  },
  {
    ...{ to: '/outgoing', search: { open: 'add' }, title: 'Add an outgoing webhook' },
    isFor: 'webhook managers',
  },
  ...admin('/connections', { 'Invite a server': { open: 'invite' }, 'Accept an invite': { open: 'accept' } }),
  ...admin('/people', {
    'Add a person': { open: 'add-a-person' },
    'Add a bot': { tab: 'bots', open: 'add-a-bot' },
  }),
  ...admin('/teams', { 'Add a team': { open: 'add-a-team' } }),
  {
    ...{ to: '/account', search: { open: 'change-your-password' }, title: 'Change your password' },
    isFor: 'everyone',
  },
];

/** Targets on a page of administrators, by their titles. */
function admin(to: Target['to'], targets: Readonly<Record<string, Target['search']>>): Target[] {
  return Object.entries(targets).map(([title, search]) => ({ to, search, title, isFor: 'administrators' }));
}

interface Rights {
  readonly isAdmin: boolean;
  readonly mayManageWebhooks: boolean;
}

const isUsable =
  ({ isAdmin, mayManageWebhooks }: Rights) =>
  ({ isFor }: { readonly isFor: For }): boolean =>
    isAdmin || isFor === 'everyone' || (mayManageWebhooks && isFor === 'webhook managers');

/** The groups of the navigation that have pages the user can use, with only those. */
export const groupsFor = (rights: Rights): readonly PageGroup[] =>
  GROUPS.map(({ title, pages }) => ({ title, pages: pages.filter(isUsable(rights)) })).filter(
    ({ pages }) => pages.length > 0,
  );

/** Parts of pages that the user can use. */
export const subPagesFor = (rights: Rights): readonly Target[] => SUB_PAGES.filter(isUsable(rights));

/** Actions of pages that the user can use. */
export const actionsFor = (rights: Rights): readonly Target[] => PAGE_ACTIONS.filter(isUsable(rights));

/** The page that a path belongs to, and its group. */
export function pageAt(path: string): { readonly group: string; readonly page: Page } | undefined {
  for (const { title: group, pages } of GROUPS)
    for (const page of pages)
      if (path === page.to || (page.to !== '/' && path.startsWith(`${page.to}/`))) return { group, page };
  return undefined;
}
