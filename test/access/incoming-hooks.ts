import type { ModuleAccess } from '../support/module-access.js';
import { type PrivateWorld } from '../factories/private-world.js';
import { type Body, outsider, member, teamAdmin, channelManager } from '../support/refusals.js';

const inClosedHook = { params: ({ closedIncoming }: PrivateWorld) => ({ hook_id: closedIncoming.id }) };
/** The other requests need the webhook. */
const notRotated: Body = () => ({ overlap_seconds: -1 });
const rocketChat = { id: 'aB3dE5fG7hJ9kL2mN', user: 'rocket.cat', token: 'nobodyknowsthistokenatall' };
const notKept = { allowed: 404 };
const newIncoming =
  (channel: 'open' | 'closed', fields: (world: PrivateWorld) => object = () => ({})): Body =>
  (world) => ({ channel_id: world[channel].id, display_name: 'new', ...fields(world) });

export const access: ModuleAccess = {
  refusals: {
    'GET /hooks/incoming': [
      outsider(undefined, { query: ({ team }) => `team_id=${team.id}` }),
      member(undefined, { query: ({ team }) => `team_id=${team.id}` }),
      teamAdmin(),
    ],
    'POST /hooks/incoming': [
      outsider(newIncoming('open')),
      member(newIncoming('open')),
      teamAdmin(newIncoming('closed')),
    ],
    'GET /hooks/incoming/:hook_id': [outsider(), member(), teamAdmin(undefined, inClosedHook)],
    'PUT /hooks/incoming/:hook_id': [
      outsider(({ incoming }) => incoming),
      member(({ incoming }) => incoming),
      // A move requires the permission in both places.
      teamAdmin(({ incoming, closed }) => ({ ...incoming, channel_id: closed.id })),
      teamAdmin(({ closedIncoming, open }) => ({ ...closedIncoming, channel_id: open.id }), inClosedHook),
      channelManager(({ incoming, elsewhere }) => ({ ...incoming, channel_id: elsewhere.id })),
      channelManager(({ movedIncoming, open }) => ({ ...movedIncoming, channel_id: open.id }), {
        params: ({ movedIncoming }) => ({ hook_id: movedIncoming.id }),
      }),
    ],
    'PATCH /hooks/incoming/:hook_id': [
      outsider(() => ({ description: 'changed' })),
      member(() => ({ description: 'changed' })),
      teamAdmin(({ closed }) => ({ channel_id: closed.id })),
      teamAdmin(({ open }) => ({ channel_id: open.id }), inClosedHook),
      channelManager(({ elsewhere }) => ({ channel_id: elsewhere.id })),
    ],
    'POST /hooks/incoming/:hook_id/rotate_url': [
      outsider(notRotated, { allowed: 400 }),
      member(notRotated, { allowed: 400 }),
      teamAdmin(notRotated, { allowed: 400, ...inClosedHook }),
    ],
    'GET /hooks/incoming/:hook_id/previous_urls': [outsider(), member(), teamAdmin(undefined, inClosedHook)],
    'GET /hooks/incoming/:hook_id/requests': [outsider(), member(), teamAdmin(undefined, inClosedHook)],
    'GET /hooks/incoming/:hook_id/requests/:request_id': [
      outsider(undefined, notKept),
      member(undefined, notKept),
      teamAdmin(undefined, { ...notKept, ...inClosedHook }),
    ],
    'POST /hooks/incoming/:hook_id/requests/:request_id/replay': [
      outsider(undefined, notKept),
      member(undefined, notKept),
      teamAdmin(undefined, { ...notKept, ...inClosedHook }),
    ],
    'GET /hooks/incoming/refusing': [outsider(), teamAdmin()],
    'POST /hooks/incoming/:hook_id/preview': [
      outsider(() => ({ payload: '{"text":"text"}' })),
      member(() => ({ payload: '{"text":"text"}' })),
      teamAdmin(() => ({ payload: '{"text":"text"}' }), inClosedHook),
    ],
  },
  destroying: {
    'DELETE /hooks/incoming/:hook_id': [outsider(), member(), teamAdmin(undefined, inClosedHook)],
  },
  requests: {
    'POST /hooks/incoming/:hook_id/rotate_url': { body: () => ({}) },
    'POST /hooks/:id': { body: () => ({ text: 'A build is green.' }) },
    'POST /services/:team/:app/:secret': {
      params: () => ({ team: 'T0HOOKLINE', app: 'B0BUILDS', secret: 'nobodyknowsthissecret' }),
      body: () => ({ text: 'A build is green.' }),
    },
    'POST /hooks/:id/:token': { params: () => rocketChat, body: () => ({ text: 'A build is green.' }) },
    'POST /hooks/:id/:user/:token': { params: () => rocketChat, body: () => ({ text: 'A build is green.' }) },
    'GET /hooks/:id/:token': { params: () => rocketChat },
    'GET /hooks/:id/:user/:token': { params: () => rocketChat },
    'PATCH /hooks/:id/messages/:post_id': { body: () => ({ text: 'A build is red.' }) },
  },
};
