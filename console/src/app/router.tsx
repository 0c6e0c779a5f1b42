import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { FILTERS } from '../pages/deliveries/filters';
import { Loading } from '../parts/loading';
import { NotFound } from '../parts/not-found';
import { Shell } from './shell';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

/** Pages are loaded on demand. Their filters are in the URL; `open` is a dialog, see `useOpened`. */
const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
const filters =
  <const Names extends readonly string[]>(...names: Names) =>
  (given: Record<string, unknown>): Partial<Record<Names[number] | 'open', string>> =>
    Object.fromEntries(
      [...names, 'open'].flatMap((name) => {
        const value = text(given[name]);
        return value === undefined || value === '' ? [] : [[name, value]];
      }),
    ) as Partial<Record<Names[number] | 'open', string>>;

export const homeRoute = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: filters('range'),
  component: lazyRouteComponent(() => import('../pages/home/home-page'), 'HomePage'),
});
export const channelsRoute = createRoute({
  getParentRoute: () => root,
  path: '/channels',
  validateSearch: filters('team', 'channel', 'thread', 'terms'),
  component: lazyRouteComponent(() => import('../pages/channels/channels-page'), 'ChannelsPage'),
});
export const incomingRoute = createRoute({
  getParentRoute: () => root,
  path: '/incoming',
  validateSearch: filters('search', 'team', 'state', 'format'),
  component: lazyRouteComponent(() => import('../pages/incoming/incoming-page'), 'IncomingPage'),
});
export const incomingHookRoute = createRoute({
  getParentRoute: () => root,
  path: '/incoming/$hookId',
  validateSearch: filters('tab', 'call'),
  component: lazyRouteComponent(() => import('../pages/incoming/incoming-hook-page'), 'IncomingHookPage'),
});
export const outgoingRoute = createRoute({
  getParentRoute: () => root,
  path: '/outgoing',
  validateSearch: filters('search'),
  component: lazyRouteComponent(() => import('../pages/outgoing/outgoing-page'), 'OutgoingPage'),
});
export const outgoingHookRoute = createRoute({
  getParentRoute: () => root,
  path: '/outgoing/$hookId',
  validateSearch: filters('tab', ...FILTERS, 'delivery'),
  component: lazyRouteComponent(() => import('../pages/outgoing/outgoing-hook-page'), 'OutgoingHookPage'),
});
export const deliveriesRoute = createRoute({
  getParentRoute: () => root,
  path: '/deliveries',
  validateSearch: filters(...FILTERS, 'delivery', 'of'),
  component: lazyRouteComponent(() => import('../pages/deliveries/deliveries-page'), 'DeliveriesPage'),
});
export const endpointsRoute = createRoute({
  getParentRoute: () => root,
  path: '/endpoints',
  validateSearch: filters('state', 'term'),
  component: lazyRouteComponent(() => import('../pages/endpoints/endpoints-page'), 'EndpointsPage'),
});
export const endpointRoute = createRoute({
  getParentRoute: () => root,
  path: '/endpoints/details',
  validateSearch: filters('endpoint', 'range'),
  component: lazyRouteComponent(() => import('../pages/endpoints/endpoint-page'), 'EndpointPage'),
});
export const connectionsRoute = createRoute({
  getParentRoute: () => root,
  path: '/connections',
  validateSearch: filters('search', 'state'),
  component: lazyRouteComponent(() => import('../pages/connections/connections-page'), 'ConnectionsPage'),
});
export const peopleRoute = createRoute({
  getParentRoute: () => root,
  path: '/people',
  validateSearch: filters('tab', 'search', 'role', 'state', 'person'),
  component: lazyRouteComponent(() => import('../pages/people/people-page'), 'PeoplePage'),
});
export const personRoute = createRoute({
  getParentRoute: () => root,
  path: '/people/$userId',
  component: lazyRouteComponent(() => import('../pages/people/person-page'), 'PersonPage'),
});
export const accountRoute = createRoute({
  getParentRoute: () => root,
  path: '/account',
  validateSearch: filters(),
  component: lazyRouteComponent(() => import('../pages/people/person-page'), 'AccountPage'),
});
export const teamsRoute = createRoute({
  getParentRoute: () => root,
  path: '/teams',
  validateSearch: filters('search'),
  component: lazyRouteComponent(() => import('../pages/teams/teams-page'), 'TeamsPage'),
});
export const teamRoute = createRoute({
  getParentRoute: () => root,
  path: '/teams/$teamId',
  validateSearch: filters('tab', 'search', 'kind', 'state', 'channel'),
  component: lazyRouteComponent(() => import('../pages/teams/team-page'), 'TeamPage'),
});
export const connectionRoute = createRoute({
  getParentRoute: () => root,
  path: '/connections/$remoteId',
  component: lazyRouteComponent(() => import('../pages/connections/connection-page'), 'ConnectionPage'),
});
export const systemRoute = createRoute({
  getParentRoute: () => root,
  path: '/system',
  validateSearch: filters('tab', 'search', 'set'),
  component: lazyRouteComponent(() => import('../pages/system/system-page'), 'SystemPage'),
});
export const auditRoute = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: filters('by', 'action', 'result', 'within', 'since', 'before', 'entry'),
  component: lazyRouteComponent(() => import('../pages/system/audit-page'), 'AuditPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    ...[homeRoute, channelsRoute, incomingRoute, incomingHookRoute],
    ...[outgoingRoute, outgoingHookRoute, deliveriesRoute, endpointsRoute, endpointRoute],
    ...[connectionsRoute, connectionRoute, auditRoute, systemRoute],
    ...[peopleRoute, personRoute, accountRoute, teamsRoute, teamRoute],
  ]),
  history: createHashHistory(),
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultPendingMs: 100, // keep the previous page until then
  defaultPendingMinMs: 0,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
