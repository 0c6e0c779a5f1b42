import type { ModuleAccess } from '../support/module-access.js';
import { type PrivateWorld } from '../factories/private-world.js';
import { type Body, outsider, member, teamAdmin, channelManager, leavesOut } from '../support/refusals.js';

const ofWideHook = { params: ({ wideOutgoing }: PrivateWorld) => ({ hook_id: wideOutgoing.id }) };
const notOfAll = { allowed: 404 };
const noDeliveries: Body = () => ({ filter: { endpoint: 'https://nobody.example', before: 1 } });
const oneDelivery: Body = ({ delivery }) => ({ ids: [delivery.id] });
const chartedHooks: Body = ({ outgoing, wideOutgoing }) => ({ hook_ids: [outgoing.id, wideOutgoing.id] });
const explained =
  (channel: 'open' | 'closed'): Body =>
  (world) => ({ channel_id: world[channel].id, message: 'deploy' });
const tried =
  (channel: 'open' | 'closed'): Body =>
  (world) => ({ team_id: world.team.id, trigger_words: ['deploy'], in_channel_id: world[channel].id });
const triedIn =
  (channel: 'open' | 'closed'): Body =>
  (world) => ({ in_channel_id: world[channel].id });
const newOutgoing =
  (fields: (world: PrivateWorld) => object = () => ({})): Body =>
  (world) => ({
    team_id: world.team.id,
    channel_id: world.open.id,
    display_name: 'new',
    trigger_words: [world.newId()],
    callback_urls: ['http://127.0.0.1:9/'],
    ...fields(world),
  });

export const access: ModuleAccess = {
  refusals: {
    'GET /hooks/outgoing': [
      outsider(undefined, { query: ({ team }) => `team_id=${team.id}` }),
      member(undefined, { query: ({ open }) => `channel_id=${open.id}` }),
      teamAdmin(),
    ],
    'POST /hooks/outgoing': [
      outsider(newOutgoing()),
      member(newOutgoing()),
      channelManager(newOutgoing(() => ({ channel_id: '' }))),
    ],
    'POST /hooks/outgoing/explain': [
      outsider(explained('open')),
      member(explained('open')),
      teamAdmin(explained('closed')),
    ],
    'POST /hooks/outgoing/dry_run': [
      outsider(tried('open')),
      member(tried('open')),
      teamAdmin(tried('closed')),
      channelManager(tried('open')),
    ],
    'POST /hooks/outgoing/:hook_id/dry_run': [
      outsider(triedIn('open')),
      member(triedIn('open')),
      teamAdmin(triedIn('closed')),
      teamAdmin(({ closed }) => ({ channel_id: closed.id })),
      channelManager(({ elsewhere }) => ({ channel_id: elsewhere.id })),
      channelManager(triedIn('open'), ofWideHook),
    ],
    'GET /hooks/outgoing/:hook_id': [outsider(), member(), channelManager(undefined, ofWideHook)],
    'GET /hooks/outgoing/:hook_id/health': [outsider(), member(), channelManager(undefined, ofWideHook)],
    'PUT /hooks/outgoing/:hook_id': [
      outsider(({ outgoing }) => outgoing),
      member(({ outgoing }) => outgoing),
      // A move requires the permission in both places.
      teamAdmin(({ outgoing, closed }) => ({ ...outgoing, channel_id: closed.id })),
      channelManager(({ outgoing, elsewhere }) => ({ ...outgoing, channel_id: elsewhere.id })),
      channelManager(({ outgoing }) => ({ ...outgoing, channel_id: '' })),
      channelManager(({ wideOutgoing, open }) => ({ ...wideOutgoing, channel_id: open.id }), ofWideHook),
    ],
    'PATCH /hooks/outgoing/:hook_id': [
      outsider(() => ({})),
      member(() => ({})),
      teamAdmin(({ closed }) => ({ channel_id: closed.id })),
      channelManager(({ elsewhere }) => ({ channel_id: elsewhere.id })),
      channelManager(() => ({ channel_id: '' })),
      channelManager(({ open }) => ({ channel_id: open.id }), ofWideHook),
    ],
    'GET /hooks/outgoing/deliveries': [member(), teamAdmin()],
    'GET /hooks/outgoing/:hook_id/deliveries': [outsider(), member()],
    'GET /hooks/outgoing/:hook_id/deliveries/:delivery_id': [outsider(), member()],
    'GET /hooks/outgoing/:hook_id/stats': [outsider(), member()],
    'GET /hooks/outgoing/deliveries/stats': [outsider(), teamAdmin()],
    'POST /hooks/outgoing/stats': [outsider(chartedHooks, leavesOut), member(chartedHooks, leavesOut)],
    'GET /hooks/outgoing/endpoints': [outsider(), teamAdmin()],
    'GET /hooks/outgoing/endpoints/details': [
      outsider(undefined, { query: () => 'endpoint=https://example.com' }),
      teamAdmin(undefined, { query: () => 'endpoint=https://example.com' }),
    ],
    'POST /hooks/outgoing/:hook_id/deliveries/:delivery_id/retry': [outsider(), member()],
    'POST /hooks/outgoing/:hook_id/deliveries/:delivery_id/request': [outsider(), member()],
    'POST /hooks/outgoing/:hook_id/deliveries/:delivery_id/skip': [outsider(), member()],
    'POST /hooks/outgoing/deliveries/retry': [member(oneDelivery), teamAdmin(oneDelivery)],
    'POST /hooks/outgoing/endpoints/deliveries/retry': [member(noDeliveries), teamAdmin(noDeliveries)],
    'POST /hooks/outgoing/:hook_id/deliveries/retry': [outsider(noDeliveries), member(noDeliveries)],
    'GET /hooks/outgoing/deliveries/recoveries': [member(), teamAdmin()],
    'POST /hooks/outgoing/deliveries/recoveries/:recovery_id/stop': [
      member(undefined, notOfAll),
      teamAdmin(undefined, notOfAll),
    ],
    'POST /hooks/outgoing/:hook_id/enable': [outsider(), member()],
    'GET /hooks/outgoing/:hook_id/recover': [outsider(), member()],
    'POST /hooks/outgoing/:hook_id/recover': [outsider(() => ({ since: 1 })), member(() => ({ since: 1 }))],
    'POST /hooks/outgoing/:hook_id/recover/:recovery_id/stop': [outsider(), member()],
    'POST /hooks/outgoing/:hook_id/regen_token': [outsider(), member()],
    'POST /hooks/outgoing/:hook_id/test': [outsider(), member()],
  },
  destroying: {
    'DELETE /hooks/outgoing/:hook_id': [outsider(), member(), channelManager(undefined, ofWideHook)],
  },
  requests: {
    'POST /hooks/outgoing/:hook_id/pull': { body: () => ({}) },
    'POST /hooks/outgoing/:hook_id/ack': { body: ({ newId }) => ({ lease_ids: [newId()] }) },
    'POST /hooks/outgoing/:hook_id/nack': { body: ({ newId }) => ({ lease_ids: [newId()] }) },
    'POST /hooks/outgoing/stats': { body: ({ outgoing }) => ({ hook_ids: [outgoing.id] }) },
  },
};
