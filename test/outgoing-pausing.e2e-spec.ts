import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { ChannelsService } from '../src/messaging/channels/channels.service.js';
import { newId } from '../src/platform/common/ids.js';
import type { DomainEvent } from '../src/platform/events/event-bus.js';
import { OutgoingHookPaused, OutgoingHookResumed } from '../src/outgoing-hooks/outgoing-hooks.events.js';
import { PauseWatch } from '../src/outgoing-hooks/pausing/pause-watch.js';
import { TriggerIndex } from '../src/outgoing-hooks/matching/trigger-index.js';
import { joinChannel } from './factories/channels.js';
import {
  buildChannel,
  buildMember,
  buildTeam,
  type BuiltTeam,
  type BuiltUser,
} from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { json, Receiver } from './fakes/receiver.js';
import { announcedBy } from './support/announcements.js';
import { ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { LiveClient } from './support/live-client.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const HOOKS = '/api/v4/hooks/outgoing';
const PAUSED = 'app.webhooks.outgoing_paused.app_error';

/** docs/contract/outgoing-webhooks.md#pausing */
describe('an outgoing webhook of a private channel', () => {
  let server: TestServer;
  let admin: ApiClient;
  let local: ApiClient;
  let folder: string;
  let receiver: Receiver;
  let team: BuiltTeam;
  /** Both administer the team and are in the private channel. */
  let creator: BuiltUser;
  let setter: BuiltUser;
  let channelId: string;
  let where: string;
  let hook: any;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hookline-local-'));
    const socket = join(folder, 'local.sock');
    server = await startTestServer({
      ALLOWED_INTERNAL_HOSTS: '127.0.0.1',
      OUTGOING_SCHEDULE: '0s,200ms,24h',
      LOCAL_MODE_SOCKET: socket,
    });
    local = new ApiClient('http://localhost', '', socket);
    ({ admin } = server);
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await server?.close();
    await receiver?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    team = await buildTeam(admin);
    creator = await buildMember(server, [team.id], true);
    setter = await buildMember(server, [team.id], true);
    channelId = await buildChannel(admin, team.id, 'P');
    for (const { id } of [creator, setter]) await joinChannel(admin, channelId, id);
    where = `/${newId()}`;
    receiver.answer = (_, response) => void response.end();
    hook = await buildOutgoingHook(creator.client, team.id, {
      channel_id: team.channelId,
      callback_urls: [receiver.url(where)],
    });
    await patch(setter.client, { channel_id: channelId });
  });

  const patch = async (client: ApiClient, fields: Record<string, unknown>): Promise<any> => {
    const answer = await client.patch(`${HOOKS}/${hook.id}`, fields);
    if (answer.status !== 200) throw new Error(`Not changed: ${answer.text}`);
    return (hook = answer.body);
  };
  const say = async (channel = channelId): Promise<any> => {
    const answer = await admin.post('/posts', { channel_id: channel, message: 'please deploy' });
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const deliveries = async (): Promise<any[]> =>
    (await admin.get(`${HOOKS}/${hook.id}/deliveries`)).body.deliveries;
  /** Whether a message creates deliveries; they are stored with it. */
  const isHeard = async (channel = channelId): Promise<boolean> => {
    const { id } = await say(channel);
    return (await deliveries()).some((delivery) => delivery.post_id === id);
  };
  const reason = async (): Promise<string> => {
    const single = (await admin.get(`${HOOKS}/${hook.id}`)).body;
    const [listed] = (await admin.get(`${HOOKS}?channel_id=${hook.channel_id}`)).body;
    expect(listed).toEqual(single);
    return single.paused_reason;
  };
  const told = async (): Promise<any> => {
    const { body } = await admin.post(`${HOOKS}/explain`, { channel_id: hook.channel_id, message: 'deploy' });
    return body.hooks.find((each: any) => each.hook_id === hook.id);
  };
  const leave = (id: string): Promise<unknown> => admin.delete(`/channels/${channelId}/members/${id}`);
  const setActive = (id: string, active: boolean): Promise<unknown> =>
    admin.put(`/users/${id}/active`, { active });
  const setPrivacy = (privacy: 'O' | 'P'): Promise<unknown> =>
    admin.put(`/channels/${channelId}/privacy`, { privacy });
  const storedPause = async (): Promise<string> => {
    const rows = await server.app
      .get(DataSource)
      .query('SELECT announced_pause AS pause FROM outgoing_webhooks WHERE id = ?', [hook.id]);
    return rows[0].pause;
  };
  /** The events of the hook during `action`, until this pause. */
  const announced = async (action: () => Promise<unknown>, pause: string): Promise<any[]> => {
    const events = await announcedBy<DomainEvent>(
      server,
      [OutgoingHookPaused, OutgoingHookResumed],
      async () => {
        await action();
        await eventually(async () => (await storedPause()) === pause);
        await Promise.all(server.everywhere(PauseWatch).map((watch) => watch['last'])); // it is published after it is stored
      },
    );
    return events.filter(({ hookId }: any) => hookId === hook.id);
  };

  const LOSSES: [string, (id: string) => Promise<unknown>, (id: string) => Promise<unknown>][] = [
    ['is removed from the channel', (id) => leave(id), (id) => joinChannel(admin, channelId, id)],
    ['is deactivated', (id) => setActive(id, false), (id) => setActive(id, true)],
    [
      'leaves the team',
      (id) => admin.delete(`/teams/${team.id}/members/${id}`),
      async (id) => {
        await admin.post(`/teams/${team.id}/members`, { team_id: team.id, user_id: id });
        await joinChannel(admin, channelId, id);
      },
    ],
  ];
  const PEOPLE = ['creator', 'setter'] as const;
  it.each(PEOPLE.flatMap((who) => LOSSES.map(([what, lose, regain]) => ({ who, what, lose, regain }))))(
    'is paused at once when the $who $what, and resumes when access is back',
    async ({ who, lose, regain }) => {
      expect(hook).toMatchObject({ creator_id: creator.id, set_by: setter.id, paused_reason: '' });
      const { id } = { creator, setter }[who];
      const because = `${who}_cannot_read`;
      const paused = await announced(async () => {
        await lose(id);
        expect(await isHeard()).toBe(false);
        expect(await reason()).toBe(because);
        expect(await told()).toMatchObject({ fires: false, reason: because });
      }, because);
      expect(paused).toEqual([new OutgoingHookPaused(hook.id, team.id, because)]);
      const resumed = await announced(async () => {
        await regain(id);
        expect(await isHeard()).toBe(true);
        expect(await reason()).toBe('');
      }, '');
      expect(resumed).toEqual([new OutgoingHookResumed(hook.id, team.id)]);
    },
  );

  it('is checked for a message without a query', async () => {
    const channel = await server.app.get(ChannelsService).get(channelId);
    const index = server.app.get(TriggerIndex);
    expect(await index.firing(channel, 'deploy')).toHaveLength(1);
    const queries = jest.spyOn(server.app.get(DataSource).logger, 'logQuery');
    // Others send queries in the background.
    const asked = () => queries.mock.calls.filter(([sql]) => sql.includes('outgoing_webhooks'));
    expect(await index.firing(channel, 'deploy')).toHaveLength(1);
    expect(asked()).toEqual([]);
    await storedPause();
    expect(asked()).toHaveLength(1);
    queries.mockRestore();
  });

  it('is paused when a role loses the permission to read', async () => {
    const { body: role } = await admin.get('/roles/name/channel_user');
    const grant = (permissions: string[]): Promise<unknown> =>
      admin.put(`/roles/${role.id}/patch`, { permissions });
    const rest = role.permissions.filter((name: string) => name !== 'read_channel_content');
    const watches = server.everywhere(PauseWatch);
    watches.forEach((watch) => watch.onApplicationBootstrap());
    const slices = watches.map(({ limits }) => jest.replaceProperty(limits, 'slice', 1)); // although all hooks are checked
    const queries = server.everywhere(DataSource).map(({ logger }) => jest.spyOn(logger, 'logQuery'));
    await grant(rest);
    try {
      expect(await isHeard()).toBe(false);
      await eventually(async () => (await storedPause()) === 'creator_cannot_read');
      const looks = () =>
        queries.flatMap(({ mock }) => mock.calls).filter(([sql]) => sql.includes('channels channel'));
      await eventually(() => looks().length > 1); // this one may have been in the first slice
      for (const [, parameters] of looks()) expect(parameters).toEqual([expect.any(String), 1]);
      slices.forEach((slice) => slice.restore());
      queries.forEach((each) => each.mockRestore());
    } finally {
      await grant(role.permissions);
    }
    expect(await isHeard()).toBe(true);
    await eventually(async () => (await storedPause()) === '');
  });

  it('is paused when the administrator who last edited it loses the role', async () => {
    await leave(setter.id);
    await admin.put(`/users/${setter.id}/roles`, { roles: 'system_user system_admin' });
    expect(await isHeard()).toBe(true);
    await admin.put(`/users/${setter.id}/roles`, { roles: 'system_user' });
    expect(await isHeard()).toBe(false);
    await eventually(async () => (await storedPause()) === 'setter_cannot_read');
  });

  it('is paused when its channel becomes private and they are not in it', async () => {
    await setPrivacy('O');
    await leave(setter.id);
    expect(await isHeard()).toBe(true);
    await setPrivacy('P');
    expect(await isHeard()).toBe(false);
    expect(await reason()).toBe('setter_cannot_read');
    await eventually(async () => (await storedPause()) === 'setter_cannot_read');
    await setPrivacy('O');
    expect(await isHeard()).toBe(true);
  });

  it.each(['PUT', 'PATCH'])('resumes when a user who can read the channel edits it by %s', async (method) => {
    await leave(setter.id);
    expect(await reason()).toBe('setter_cannot_read');
    const path = `${HOOKS}/${hook.id}`;
    const answer = await creator.client.send(method, path, { ...hook, channel_id: channelId });
    expect(answer.body).toMatchObject({ set_by: creator.id, paused_reason: '' });
    expect(await isHeard()).toBe(true);
  });

  it('resumes when local mode edits it, which is always allowed', async () => {
    await leave(setter.id);
    const answer = await local.patch(`${HOOKS}/${hook.id}`, { channel_id: channelId });
    expect(answer.body).toMatchObject({ set_by: '', paused_reason: '' });
    expect(await isHeard()).toBe(true);
    await leave(creator.id);
    expect(await reason()).toBe('creator_cannot_read');
  });

  it('depends on the user who changed its URL, not on the one who renamed it', async () => {
    await patch(creator.client, { channel_id: channelId });
    expect(
      await patch(setter.client, { display_name: 'Renamed', callback_urls: hook.callback_urls }),
    ).toMatchObject({ set_by: creator.id });
    await patch(setter.client, { callback_urls: [receiver.url(where), 'http://elsewhere.example/'] });
    expect(hook.set_by).toBe(setter.id);
    await leave(setter.id);
    expect(await isHeard()).toBe(false);
  });

  it('cancels waiting deliveries, and sends them again once access is back', async () => {
    let isBroken = true;
    receiver.answer = async (_, response) => {
      if (isBroken) await leave(setter.id); // before the next attempt
      response.statusCode = isBroken ? 500 : 200;
      response.end();
    };
    await say();
    const [cancelled] = await eventually(async () => {
      const found = await deliveries();
      return found[0]?.status === 'cancelled' ? found : undefined;
    });
    expect(cancelled).toMatchObject({ attempts: 1, reason: 'hook_paused' });
    const retry = `${HOOKS}/${hook.id}/deliveries/${cancelled.id}/retry`;
    expectError(await admin.post(retry), 409, PAUSED);
    expectError(await admin.post(`${HOOKS}/${hook.id}/recover`, { since: 0 }), 409, PAUSED);
    isBroken = false;
    await joinChannel(admin, channelId, setter.id);
    expect((await admin.post(retry)).status).toBe(200);
    await eventually(async () => (await deliveries())[0]?.status === 'delivered');
  });

  it('sends nothing of a channel that has become private since, for a webhook of the whole team', async () => {
    await setPrivacy('O');
    await patch(creator.client, { channel_id: '' });
    receiver.answer = async (_, response) => {
      await setPrivacy('P');
      await leave(creator.id);
      response.statusCode = 500;
      response.end();
    };
    await say();
    await eventually(async () => (await deliveries())[0]?.status === 'cancelled');
    expect((await deliveries())[0]).toMatchObject({ attempts: 1, reason: 'hook_paused' });
  });

  it.each([
    ['creator', 'the creator of the webhook can no longer read the channel'],
    ['setter', 'the user who last set the channel or URLs of the webhook can no longer read the channel'],
  ] as const)('posts no reply when the %s was deactivated during the call', async (who, because) => {
    receiver.answer = async (call, response) => {
      await setActive({ creator, setter }[who].id, false);
      await json({ text: 'Hidden words' })(call, response);
    };
    await say();
    await eventually(async () => (await deliveries())[0]?.status === 'delivered');
    const [delivery] = await deliveries();
    const detail = (await admin.get(`${HOOKS}/${hook.id}/deliveries/${delivery.id}`)).body;
    expect(detail.attempt_list[0].note).toBe(`The reply was not posted: ${because}.`);
    expect(delivery.reply_post_id).toBe('');
  });

  describe('without its creator', () => {
    const GONE: [string, () => Promise<unknown>][] = [
      ['deactivated', () => setActive(creator.id, false)],
      ['left_team', () => admin.delete(`/teams/${team.id}/members/${creator.id}`)],
    ];
    const listed = async (state: string): Promise<any[]> =>
      (await admin.get(`${HOOKS}?team_id=${team.id}&owner_state=${state}`)).body;

    it.each(GONE)('fires in public channels, is marked as %s and listed', async (state, lose) => {
      await setPrivacy('O');
      expect(hook.owner_state).toBe('active');
      expect(await listed('orphaned')).toEqual([]);
      await lose();
      expect(await isHeard()).toBe(true);
      const marked = (await admin.get(`${HOOKS}/${hook.id}`)).body;
      expect(marked).toMatchObject({ owner_state: state, paused_reason: '' });
      for (const filter of [state, 'orphaned']) expect(await listed(filter)).toEqual([marked]);
      expect(await listed('active')).toEqual([]);
      expectError(await admin.get(`${HOOKS}?owner_state=lost`), 400, undefined, 'owner_state');
    });

    it.each(GONE)(
      'is paused everywhere with DISABLE_ORPHANED_HOOKS when they are %s',
      async (state, lose) => {
        await setPrivacy('O');
        await patch(creator.client, { channel_id: '' });
        let release = (): void => undefined;
        const released = new Promise<void>((resolve) => (release = resolve));
        receiver.answer = (_, response) => {
          response.statusCode = 500;
          void released.then(() => response.end()); // the next attempt is due afterwards
        };
        await server.withSettings({ disableOrphanedHooks: true }, async () => {
          expect(await isHeard()).toBe(true);
          const paused = await announced(lose, 'orphaned');
          expect(paused).toEqual([new OutgoingHookPaused(hook.id, team.id, 'orphaned')]);
          expect(await isHeard()).toBe(false);
          const { body } = await admin.get(`${HOOKS}/${hook.id}`);
          expect(body).toMatchObject({ owner_state: state, paused_reason: 'orphaned' });
          release();
          await eventually(async () => (await deliveries())[0]?.status === 'cancelled');
          expect((await deliveries())[0]).toMatchObject({ reason: 'hook_paused' });
        });
        expect(await isHeard()).toBe(true);
      },
    );

    it.each(GONE)(
      'reports on start what DISABLE_ORPHANED_HOOKS has changed when they are %s',
      async (_, lose) => {
        await setPrivacy('O');
        await patch(creator.client, { channel_id: '' });
        await lose();
        const watch = server.app.get(PauseWatch);
        const slice = jest.replaceProperty(watch.limits, 'slice', 1); // although all hooks are checked
        const start = async (): Promise<void> => watch.onApplicationBootstrap();
        const paused = await server.withSettings({ disableOrphanedHooks: true }, () =>
          announced(start, 'orphaned'),
        );
        expect(paused).toEqual([new OutgoingHookPaused(hook.id, team.id, 'orphaned')]);
        expect(await announced(start, '')).toEqual([new OutgoingHookResumed(hook.id, team.id)]);
        slice.restore();
      },
    );

    it('fires in no private channel when they have left the team, even if they could read it', async () => {
      await admin.put(`/users/${creator.id}/roles`, { roles: 'system_user system_admin' });
      expect(await isHeard()).toBe(true);
      await admin.delete(`/teams/${team.id}/members/${creator.id}`);
      expect(await isHeard()).toBe(false);
      expect(await reason()).toBe('orphaned');
    });
  });

  it('is announced to connected system administrators only', async () => {
    const live = await LiveClient.connect(server.url, admin.token);
    const others = await LiveClient.connect(server.url, creator.client.token);
    const named = (name: string): any => live.events.find(({ event }) => event === name);
    await leave(setter.id);
    const data = { hook_id: hook.id, team_id: team.id };
    expect((await eventually(() => named('outgoing_hook_paused'))).data).toEqual({
      ...data,
      reason: 'setter_cannot_read',
    });
    await joinChannel(admin, channelId, setter.id);
    expect((await eventually(() => named('outgoing_hook_resumed'))).data).toEqual(data);
    expect(others.events.filter(({ event }) => event.startsWith('outgoing_hook'))).toEqual([]);
    for (const client of [live, others]) client.close();
  });
});
