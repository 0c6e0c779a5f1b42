import { DataSource } from 'typeorm';
import { FailuresService } from '../src/failure-messages/failures.service.js';
import { RolesService } from '../src/messaging/permissions/roles.service.js';
import { PostPermission } from '../src/messaging/posts/posts.policy.js';
import { TeamTriggersCache } from '../src/outgoing-hooks/matching/team-triggers-cache.js';
import { newId } from '../src/platform/common/ids.js';
import { ChangeLog } from '../src/platform/database/changes/change-log.js';
import type { SharedChanges } from '../src/platform/database/changes/shared-changes.js';
import { buildMember, buildTeam, type BuiltTeam, type BuiltUser } from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { LiveClient } from './support/live-client.js';
import { onlyWhere } from './support/only-where.js';
import { isMysql } from './support/test-database.js';
import { eventually } from './support/test-server.js';
import { setAhead, startTwoServers, type TwoServers } from './support/two-servers.js';

const MINUTE_MS = 60_000;
const CREATE_POST = PostPermission.CreatePost;

const onMysql = onlyWhere(isMysql, 'an embedded database belongs to one process');
onMysql.describe('a process that could not read the changes of others', () => {
  let servers: TwoServers;
  let team: BuiltTeam;
  let user: BuiltUser;
  let client: LiveClient;
  const undo: (() => void)[] = [];

  beforeAll(async () => {
    servers = await startTwoServers();
  }, 60_000);
  beforeEach(async () => {
    team = await buildTeam(servers.one.admin);
    user = await buildMember(servers.one, [team.id]);
    client = await LiveClient.connect(servers.other.url, user.client.token);
    await client.event('hello');
  });
  afterEach(() => {
    client.close();
    for (const one of undo.splice(0)) one();
  });
  afterAll(async () => {
    await servers?.close();
  });

  const at = <T>(type: new (...needs: never[]) => T): T => servers.other.app.get<T>(type, { strict: false });
  const statusAtOther = async (): Promise<number> =>
    (await servers.other.anonymous.as(user.client.token).get('/users/me')).status;

  /** The other process neither reads nor receives anything during `work`; then it continues after this time. */
  async function asleep(ms: number, work: () => Promise<void>): Promise<void> {
    const changes = servers.other.app.get<SharedChanges>(ChangeLog);
    await changes.caughtUp();
    const reads = jest.spyOn(changes as never, 'readOnce').mockResolvedValue(undefined as never);
    await work();
    undo.push(setAhead(servers.other, ms));
    reads.mockRestore();
    await changes['readOnce']();
  }

  it('reads all changes when it continues', async () => {
    expect(await statusAtOther()).toBe(200);
    await asleep(MINUTE_MS, async () => {
      await user.client.post('/users/logout');
    });
    expect(await statusAtOther()).toBe(401);
    expect((await client.end()).code).toBe(1008);
  });

  it('drops its caches if there may be too many changes', async () => {
    expect(await statusAtOther()).toBe(200);
    const subject = { subjectId: newId(), endpoint: 'https://receiver.example' };
    const failure = { ...subject, userId: user.id, stage: 1, text: 'It fails.' };
    await at(TeamTriggersCache).get(team.id);
    expect(at(TeamTriggersCache).peek(team.id)).toBeDefined();
    const grants = (): Promise<boolean> => at(RolesService).anyGrants(['channel_user'], CREATE_POST);
    expect(await grants()).toBe(true);
    const { one } = servers;
    const role = await one.admin.call('GET', '/roles/name/channel_user');
    const change = (permissions: string[]) =>
      one.admin.call('PUT', `/roles/${role.id}/patch`, { permissions });
    await asleep(10 * MINUTE_MS, async () => {
      await user.client.post('/users/logout');
      await change(role.permissions.filter((permission: string) => permission !== CREATE_POST));
      await buildOutgoingHook(one.admin, team.id, { channel_id: team.channelId, trigger_words: ['go'] });
      const failures = one.app.get(FailuresService, { strict: false });
      failures.begin(failure);
      await failures['last'];
      await one.app.get(DataSource).query('DELETE FROM changes');
    });
    expect((await client.end()).code).toBe(1013);
    expect(at(TeamTriggersCache).peek(team.id)).toBeUndefined();
    expect(await grants()).toBe(false);
    await eventually(() => at(FailuresService).find(subject) !== undefined);
    expect(await statusAtOther()).toBe(401);
    await change(role.permissions);
  });
});
