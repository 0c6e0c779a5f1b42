import { HookSchedule } from '../../src/hook-schedules/hook-schedule.entity.js';
import type { PrivateWorld } from '../factories/private-world.js';
import { buildHookSchedule } from '../factories/hook-schedules.js';
import type { ModuleAccess } from '../support/module-access.js';
import { member, outsider } from '../support/refusals.js';

const inTeam = { query: ({ team }: PrivateWorld) => `team_id=${team.id}` };
const created = ({ team, incoming }: PrivateWorld) => ({
  ...{ team_id: team.id, display_name: 'new', hook_id: incoming.id },
  ...{ text: 'Tea is ready.', post_at: 8_640_000_000_000 },
});
const changed = () => ({ display_name: 'changed' });

export const access: ModuleAccess = {
  records: { hook_schedule_id: async (client, teamId) => (await buildHookSchedule(client, teamId)).id },
  refusals: {
    'GET /hook_schedules': [outsider(undefined, inTeam), member(undefined, inTeam)],
    'POST /hook_schedules': [outsider(created), member(created)],
    'GET /hook_schedules/:hook_schedule_id': [outsider(), member()],
    'PUT /hook_schedules/:hook_schedule_id': [outsider(changed), member(changed)],
  },
  destroying: { 'DELETE /hook_schedules/:hook_schedule_id': [outsider(), member()] },
  permissions: (world) => [
    [
      'manage_hook_schedules',
      'team_admin',
      async () => {
        const { admin, teamId } = world();
        return ['GET', `/hook_schedules/${(await buildHookSchedule(admin, teamId)).id}`];
      },
    ],
  ],
  audited: (world) => ({
    'POST /hook_schedules': async () => {
      const { server, teamId } = world();
      const { id: _, ...body } = await buildHookSchedule(server.admin, teamId);
      return { path: '/hook_schedules', body };
    },
    'PUT /hook_schedules/:hook_schedule_id': async () => {
      const { server, teamId } = world();
      const { id } = await buildHookSchedule(server.admin, teamId);
      return { path: `/hook_schedules/${id}`, body: changed() };
    },
  }),
  bounds: { entities: { HookScheduleDto: HookSchedule } },
};
