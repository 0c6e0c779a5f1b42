import { newId } from '../src/platform/common/ids.js';
import { buildMember, buildTeam, type BuiltTeam, whileGranting } from './factories/incoming-hooks.js';
import type { Answer, ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { startTestServer, type TestServer } from './support/test-server.js';

interface Kind {
  readonly path: string;
  readonly perTeam: string;
  readonly perUser: string;
  body(team: BuiltTeam): Record<string, unknown>;
}

const KINDS: readonly [string, Kind][] = [
  [
    'incoming',
    {
      path: '/hooks/incoming',
      perTeam: 'incomingWebhooksPerTeam',
      perUser: 'incomingWebhooksPerUser',
      body: ({ channelId }) => ({ channel_id: channelId, display_name: 'One of many' }),
    },
  ],
  [
    'outgoing',
    {
      path: '/hooks/outgoing',
      perTeam: 'outgoingWebhooksPerTeam',
      perUser: 'outgoingWebhooksPerUser',
      body: ({ id, channelId }) => ({
        team_id: id,
        channel_id: channelId,
        display_name: 'One of many',
        trigger_words: [newId()],
        callback_urls: ['http://nowhere.example/'],
      }),
    },
  ],
];

const AT_ONCE = 8;

/** docs/contract/incoming-webhooks.md#create, docs/contract/outgoing-webhooks.md#create */
describe.each(KINDS)('the number of %s webhooks', (name, { path, perTeam, perUser, body }) => {
  const TEAM_LIMIT = `app.webhooks.${name}_per_team.app_error`;
  const USER_LIMIT = `app.webhooks.${name}_per_user.app_error`;
  let server: TestServer;
  let admin: ApiClient;
  let team: BuiltTeam;

  beforeAll(async () => {
    server = await startTestServer();
    ({ admin } = server);
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    team = await buildTeam(admin);
  });

  const create = (client = admin, place = team): Promise<Answer> => client.post(path, body(place));
  const createAtOnce = (client: ApiClient): Promise<Answer[]> =>
    Promise.all(Array.from({ length: AT_ONCE }, () => create(client)));
  const buildBot = async (ownerId: string): Promise<ApiClient> => {
    const { user_id: id } = await admin.call('POST', '/bots', { username: `bot-${newId()}` });
    await admin.call('POST', `/bots/${id}/assign/${ownerId}`);
    await admin.call('POST', `/teams/${team.id}/members`, { team_id: team.id, user_id: id });
    const { token } = await admin.call('POST', `/users/${id}/tokens`, { description: 'of a bot' });
    return server.anonymous.as(token);
  };
  const countCreated = (answers: readonly Answer[]): number =>
    answers.filter(({ status }) => status === 201).length;

  it('is limited per team, even for simultaneous requests', async () => {
    await server.withSettings({ [perTeam]: 3 }, async () => {
      const answers = await createAtOnce(admin);
      expect(countCreated(answers)).toBe(3);
      for (const answer of answers.filter(({ status }) => status !== 201))
        expectError(answer, 400, TEAM_LIMIT, '3');
      expect((await create(admin, await buildTeam(admin))).status).toBe(201);
    });
  });

  it('is limited in a team near its limit, even for simultaneous requests', async () => {
    const limit = 110;
    await server.withSettings({ [perTeam]: limit }, async () => {
      const rounds = await Promise.all(Array.from({ length: 16 }, () => createAtOnce(admin)));
      let made = countCreated(rounds.flat());
      expect(made).toBeLessThanOrEqual(limit);
      while ((await create()).status === 201) made++;
      expect(made).toBe(limit);
      expectError(await create(), 400, TEAM_LIMIT, `${limit}`);
    });
  });

  it('is limited per user and team, even for simultaneous requests', async () => {
    const member = await buildMember(server, [team.id]);
    await server.withSettings({ [perUser]: 2 }, () =>
      whileGranting(server, 'team_user', ['manage_webhooks'], async () => {
        const answers = await createAtOnce(member.client);
        expect(countCreated(answers)).toBe(2);
        for (const answer of answers.filter(({ status }) => status !== 201))
          expectError(answer, 400, USER_LIMIT, '2');
        const others = await buildMember(server, [team.id]);
        expect((await create(others.client)).status).toBe(201);
      }),
    );
  });

  it('is limited for a user and their bots together', async () => {
    const owner = await buildMember(server, [team.id]);
    const another = await buildMember(server, [team.id]);
    const bots = await Promise.all([owner, owner, another].map((person) => buildBot(person.id)));
    const [first, second, ofAnother] = bots as [ApiClient, ApiClient, ApiClient];
    await server.withSettings({ [perUser]: 2 }, () =>
      whileGranting(server, 'team_user', ['manage_webhooks'], async () => {
        expect((await create(first)).status).toBe(201);
        expect((await create(owner.client)).status).toBe(201);
        for (const client of [first, second, owner.client])
          expectError(await create(client), 400, USER_LIMIT, '2');
        expect((await create(ofAnother)).status).toBe(201);
      }),
    );
  });

  it('is not limited for a user who manages the webhooks of others', async () => {
    const teamAdmin = await buildMember(server, [team.id], true);
    await server.withSettings({ [perUser]: 1 }, async () => {
      expect(countCreated(await createAtOnce(teamAdmin.client))).toBe(AT_ONCE);
    });
  });

  it('does not include deleted ones', async () => {
    const { body: hook } = await create();
    await server.withSettings({ [perTeam]: 1 }, async () => {
      expectError(await create(), 400, TEAM_LIMIT);
      expect((await admin.delete(`${path}/${hook.id}`)).status).toBe(200);
      expect((await create()).status).toBe(201);
    });
  });

  it('does not change when the limit is lowered', async () => {
    const [hook] = (await createAtOnce(admin)).map((answer) => answer.body);
    await server.withSettings({ [perTeam]: 1 }, async () => {
      expect((await admin.get(`${path}?team_id=${team.id}`)).body).toHaveLength(AT_ONCE);
      await admin.call('PUT', `${path}/${hook.id}`, { ...hook, display_name: 'Still here' });
    });
  });
});
