import { newId } from '../src/platform/common/ids.js';
import { buildTeam, type BuiltTeam } from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { Receiver } from './fakes/receiver.js';
import type { Answer, ApiClient } from './support/api-client.mjs';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const PATH = '/api/v4/hooks/outgoing';
const AT_ONCE = 8;
const ROUNDS = 10;

/** Invariants of outgoing webhooks under concurrent changes. */
describe('concurrent changes of outgoing webhooks', () => {
  let server: TestServer;
  let admin: ApiClient;
  let team: BuiltTeam;
  let receiver: Receiver;

  beforeAll(async () => {
    server = await startTestServer({ ALLOWED_INTERNAL_HOSTS: '127.0.0.1' });
    ({ admin } = server);
    receiver = await Receiver.start((call, response) => {
      response.statusCode = call.path.startsWith('/gone') ? 410 : 200;
      response.end();
    });
  });
  beforeEach(async () => {
    team = await buildTeam(admin);
  });
  afterAll(async () => {
    await server?.close();
    await receiver?.close();
  });

  const times = <T>(count: number, action: (index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => action(index)));
  const hook = (fields: Record<string, unknown> = {}): Promise<any> =>
    buildOutgoingHook(admin, team.id, { trigger_words: [newId()], ...fields });
  const patch = (id: string, fields: Record<string, unknown>): Promise<Answer> =>
    admin.patch(`${PATH}/${id}`, fields);
  const latest = async (id: string): Promise<any> => (await admin.get(`${PATH}/${id}`)).body;
  const say = (message: string): Promise<Answer> =>
    admin.post('/posts', { channel_id: team.channelId, message });
  const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).sort();
  const hasAudit = async (id: string): Promise<boolean> =>
    (await admin.get('/audits?per_page=200')).body.some(
      ({ target, action }: any) => target === id && action.startsWith('disable_outgoing_webhook'),
    );

  it('create one for one word, URL and place', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const body = {
        team_id: team.id,
        display_name: '',
        trigger_words: [newId()],
        callback_urls: ['http://nowhere.example/'],
      };
      const answers = await times(AT_ONCE, () => admin.post(PATH, body));
      expect(statuses(answers)).toEqual([201, ...Array<number>(AT_ONCE - 1).fill(400)]);
    }
    expect((await admin.get(`${PATH}?team_id=${team.id}&per_page=200`)).body).toHaveLength(ROUNDS);
  });

  it('make two equal only once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const word = newId();
      const hooks = await times(AT_ONCE, () => hook());
      const answers = await Promise.all(hooks.map(({ id }) => patch(id, { trigger_words: [word] })));
      expect(statuses(answers)).toEqual([200, ...Array<number>(AT_ONCE - 1).fill(400)]);
    }
  });

  it('never leave one without both channel and words', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await hook({ channel_id: team.channelId });
      const answers = await Promise.all([patch(id, { channel_id: '' }), patch(id, { trigger_words: [] })]);
      expect(statuses(answers)).toEqual([200, 400]);
      const { channel_id: channelId, trigger_words: words } = await latest(id);
      expect(channelId !== '' || words.length > 0).toBe(true);
    }
  });

  it('keep every change of another field', async () => {
    const { id } = await hook();
    const changes = { display_name: 'a', description: 'b', username: 'c', icon_url: 'd', trigger_when: 1 };
    await Promise.all(Object.entries(changes).map(([field, value]) => patch(id, { [field]: value })));
    expect(await latest(id)).toMatchObject(changes);
  });

  it('keep a URL disabled', async () => {
    await times(AT_ONCE, async () => {
      const gone = receiver.url(`/gone/${newId()}`);
      const word = newId();
      const { id } = await hook({ trigger_words: [word], callback_urls: [gone, receiver.url()] });
      await say(word);
      await eventually(async () => {
        await times(4, (n) => patch(id, { display_name: `${n}` }));
        return hasAudit(id);
      });
      expect(await latest(id)).toMatchObject({ disabled_urls: [gone], disabled_at: 0 });
    });
  });

  it('disable a hook exactly while all its URLs are disabled', async () => {
    await times(AT_ONCE, async () => {
      const gone = receiver.url(`/gone/${newId()}`);
      const word = newId();
      const { id } = await hook({ trigger_words: [word], callback_urls: [gone] });
      await say(word);
      await eventually(async () => {
        await times(4, (n) => patch(id, { callback_urls: n % 2 === 0 ? [gone, receiver.url()] : [gone] }));
        return hasAudit(id);
      });
      const { disabled_at: disabledAt, disabled_urls: disabledUrls, callback_urls: urls } = await latest(id);
      expect(disabledUrls).toEqual([gone]);
      expect(disabledAt > 0).toBe(urls.length === 1);
    });
  });

  it('enable or disable it completely, never partially', async () => {
    await times(AT_ONCE, async () => {
      const gone = receiver.url(`/gone/${newId()}`);
      const word = newId();
      const { id } = await hook({ trigger_words: [word], callback_urls: [gone] });
      const isOff = async (): Promise<boolean> => {
        const { disabled_at: disabledAt, disabled_urls: disabledUrls } = await latest(id);
        expect(disabledAt > 0).toBe(disabledUrls.length === 1);
        return disabledAt > 0;
      };
      for (let round = 0; round < ROUNDS / 2; round++) {
        await Promise.all([say(word), times(4, () => admin.post(`${PATH}/${id}/enable`))]);
        await isOff();
      }
      await eventually(async () => {
        await say(word); // calls that ended before it was enabled do not count
        return isOff();
      });
    });
  });

  it('end with it deleted, no matter what else arrives', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await hook();
      const [removed, changed] = await Promise.all([
        admin.delete(`${PATH}/${id}`),
        patch(id, { display_name: 'x' }),
        admin.post(`${PATH}/${id}/regen_token`),
      ]);
      expect(removed.status).toBe(200);
      expect([200, 404]).toContain(changed.status);
      expect((await admin.get(`${PATH}/${id}`)).status).toBe(404);
    }
  });
});
