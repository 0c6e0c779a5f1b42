import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../src/platform/common/ids.js';
import { run as runImport } from '../src/startup/import.js';
import { runHere } from './support/run-here.js';
import { learnSecret } from './support/secrets.mjs';
import { Site } from './support/site.js';

const id17 = (): string => newId().slice(0, 17);
const byName = (list: any[], name: string): any[] => list.filter(({ display_name }) => display_name === name);

/** docs/moving.md#from-rocketchat */
describe('hookline import rocketchat', () => {
  let site: Site;
  let folder: string;
  let helper: any;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hookline-rocketchat-'));
    site = await Site.open('rocketchat');
    const { admin, team } = site;
    helper = await admin.call('POST', '/users', {
      username: 'helper',
      email: 'helper@example.com',
      password: 'a quiet afternoon by the sea',
    });
    await admin.call('POST', `/teams/${team.id}/members`, { team_id: team.id, user_id: helper.id });
    for (const name of ['builds', 'ops'])
      await admin.call('POST', '/channels', { team_id: team.id, name, display_name: name, type: 'O' });
    await site.stop();
  }, 60_000);
  afterAll(async () => {
    await site.close();
    rmSync(folder, { recursive: true });
  });

  /** Runs the command with a file to its end. */
  async function run(content: string | Uint8Array, ...args: string[]) {
    const file = join(folder, 'integrations.json');
    writeFileSync(file, content);
    const { env } = site.database;
    const { code, output } = await runHere(runImport, { args: ['rocketchat', file, ...args], env });
    return { code, output: output.replace(file, 'FILE') };
  }
  const lines = (...documents: object[]): string => documents.map((one) => JSON.stringify(one)).join('\n');
  const incoming = (name: string, fields: object = {}) => {
    const token = newId() + newId().slice(0, 22);
    learnSecret('token of Rocket.Chat', token);
    return {
      ...{ _id: id17(), type: 'webhook-incoming', enabled: true, name, username: 'helper', userId: id17() },
      ...{ channel: ['#builds'], token, scriptEnabled: false, overrideDestinationChannelEnabled: true },
      ...fields,
    };
  };
  const outgoing = (name: string, fields: object = {}) => {
    const token = newId().slice(0, 24);
    learnSecret('token of Rocket.Chat', token);
    return {
      ...{
        _id: id17(),
        type: 'webhook-outgoing',
        enabled: true,
        name,
        username: 'helper',
        event: 'sendMessage',
      },
      ...{ channel: ['#builds'], urls: ['http://127.0.0.1:9/hook'], triggerWords: ['deploy'], token },
      ...fields,
    };
  };
  /** The outcome and the notes of each integration by name. */
  const resultsOf = async (content: string, ...args: string[]): Promise<Record<string, any[]>> => {
    const { code, output } = await run(content, '--json', ...args);
    expect([code, output]).toEqual([0, expect.stringMatching(/^\{/)]);
    const { integrations } = JSON.parse(output);
    return Object.fromEntries(
      integrations.map(({ name, outcome, notes }: any) => [name, [outcome, ...notes]]),
    );
  };
  /** Starts the server for the checks. */
  const started = async (check: (incoming: any[], outgoing: any[]) => Promise<void>): Promise<void> => {
    await site.start();
    try {
      const list = (kind: string) =>
        site.admin.call('GET', `/hooks/${kind}?team_id=${site.team.id}&per_page=200`);
      await check(await list('incoming'), await list('outgoing'));
    } finally {
      await site.stop();
    }
  };

  it('imports incoming integrations, whose URLs go on working', async () => {
    const [plain, locked, paused, off, bot] = [
      incoming('Plain', {
        alias: 'Build Bot',
        avatar: 'https://example.com/b.png',
        channel: ['#Builds', '#ops', '@x'],
      }),
      incoming('Locked', { overrideDestinationChannelEnabled: false, _id: { $oid: 'a1'.repeat(12) } }),
      incoming('Scripted', { scriptEnabled: true, script: 'class Script {}', emoji: ':tada:' }),
      incoming('Off', { enabled: false, scriptEnabled: true, script: ' ' }),
      incoming('Bot', { username: 'rocket.cat', channel: '#ops' }),
    ];
    const file = lines(plain, locked, paused, off, bot);
    const { code, output } = await run(file, '--dry-run');
    expect([code, output]).toEqual([0, expect.stringContaining('Dry run of an import of FILE')]);
    expect(output).toMatch(
      /left out {6}incoming {2}"Bot"\n {6}there is no account "rocket\.cat"; name an owner/,
    );
    expect(output).toContain(
      '5 integrations: 2 imported, 2 paused, 0 already here, 1 left out.\nNothing was written.',
    );
    await started(async (list) => expect(byName(list, 'Plain')).toEqual([]));

    expect(await resultsOf(`[${file.replaceAll('\n', ',\n')}]`, '--owner', 'Admin')).toEqual({
      Plain: [
        'imported',
        'without @x, which do not exist here',
        'it posts only to builds: a webhook has one channel',
        'it posts as build-bot instead of "Build Bot"',
      ],
      Locked: ['imported'],
      Scripted: ['paused', 'its script cannot run here', 'its emoji was left out: set a picture'],
      Off: ['paused', 'it was disabled in Rocket.Chat'],
      Bot: ['imported'],
    });
    let id = '';
    await started(async (list) => {
      const [[hook], [lockedHook], [scripted], [botHook]] = ['Plain', 'Locked', 'Scripted', 'Bot'].map(
        (name) => byName(list, name),
      ) as [any[], any[], any[], any[]];
      id = hook.id;
      expect(hook).toMatchObject({
        user_id: helper.id,
        username: 'build-bot',
        icon_url: 'https://example.com/b.png',
        channel_locked: false,
        rocketchat_path: `${plain!._id}/${plain!.token}`,
        description: 'Imported from Rocket.Chat.',
      });
      expect([lockedHook.channel_locked, lockedHook.rocketchat_path]).toEqual([
        true,
        `${'a1'.repeat(12)}/${locked!.token}`,
      ]);
      expect(botHook.user_id).not.toBe(helper.id);
      const answer = await site.admin.post(
        `/hooks/${plain!._id}/${plain!.userId}/${plain!.token}?wait=true`,
        {
          text: 'as before',
        },
      );
      const post = (await site.admin.get(`/posts/${answer.body.post_ids[0]}`)).body;
      expect(post).toMatchObject({ message: 'as before', user_id: helper.id, channel_id: hook.channel_id });
      const refused = await site.admin.post(`/hooks/${scripted.rocketchat_path}`, { text: 'no' });
      expect([refused.status, scripted.description]).toEqual([
        403,
        'Imported from Rocket.Chat; paused, because its script cannot run here.',
      ]);
      await site.admin.call('POST', `/hooks/incoming/${hook.id}/rotate_url`, {});
      await site.admin.call('DELETE', `/hooks/incoming/${botHook.id}`);
    });
    const again = await resultsOf(file, '--owner', 'admin', '--team', 'main');
    expect(new Set(Object.values(again).flat())).toEqual(new Set(['already here']));
    await started(async (list) => {
      expect(list.filter(({ description }: any) => description.startsWith('Imported'))).toHaveLength(4);
      expect(byName(list, 'Plain')[0].id).not.toBe(id);
    });
  }, 120_000);

  it('imports outgoing integrations with their words and tokens', async () => {
    const [plain, several, all, off, room] = [
      outgoing('Plain', { alias: 'echo', targetRoom: '#ops', runOnEdits: true }),
      outgoing('Several', {
        channel: ['#builds', '#ops'],
        triggerWordAnywhere: true,
        urls: ['http://127.0.0.1:9/b'],
      }),
      outgoing('All', { channel: ['all_public_channels', 'all_direct_messages'] }),
      outgoing('Off', { enabled: false, channel: [], urls: ['http://127.0.0.1:9/off'] }),
      outgoing('Room', { event: 'roomCreated' }),
    ];
    const file = lines(
      plain,
      several,
      all,
      off,
      room,
      outgoing('Same'),
      outgoing('No URL', { urls: ['ftp://x'] }),
      outgoing('Silent', { channel: [], triggerWords: [] }),
      outgoing('Owner', { username: 'nobody' }),
      outgoing('Direct', { channel: ['@helper'] }),
      { ...plain, type: 'webhook-other', name: 'Other' },
    );
    const results = await resultsOf(file);
    expect(results).toEqual({
      Plain: ['imported', 'replies are posted to the channel of the message', 'edited messages are not sent'],
      Several: ['imported'],
      All: ['imported', 'messages of all_direct_messages are not sent'],
      Off: ['paused', 'it was disabled in Rocket.Chat'],
      Room: ['left out', 'its event is roomCreated, which webhooks do not have here'],
      Same: ['left out', expect.stringMatching(/same/)],
      'No URL': ['left out', expect.stringContaining('callback_urls[0]')],
      Silent: ['left out', expect.stringContaining('trigger_words')],
      Owner: ['left out', expect.stringContaining('"nobody"')],
      Direct: ['left out', expect.stringContaining('@helper')],
      Other: ['left out', 'its type is unknown'],
    });
    await started(async (_, list) => {
      expect(byName(list, 'Plain')).toMatchObject([
        {
          creator_id: helper.id,
          token: plain!.token,
          trigger_words: ['deploy'],
          trigger_when: 1,
          callback_urls: ['http://127.0.0.1:9/hook'],
          content_type: 'application/json',
          username: 'echo',
          disabled_at: 0,
        },
      ]);
      expect(byName(list, 'Several').map(({ token, trigger_when }) => [token, trigger_when])).toEqual([
        [several!.token, 0],
        [several!.token, 0],
      ]);
      expect(byName(list, 'All')[0].channel_id).toBe('');
      const [disabled] = byName(list, 'Off');
      expect(disabled).toMatchObject({ disabled_reason: 'Imported: it was disabled in Rocket.Chat.' });
      await site.admin.call('POST', `/hooks/outgoing/${disabled.id}/enable`);
      const enabled = await site.admin.call('GET', `/hooks/outgoing/${disabled.id}`);
      expect(enabled.disabled_at).toBe(0);
    });
    expect(await resultsOf(file)).toEqual({
      ...results,
      ...Object.fromEntries(['Plain', 'Several', 'All', 'Off'].map((name) => [name, ['already here']])),
    });
  }, 120_000);

  it.each([
    ['', 'FILE is empty'],
    ['[]', 'FILE is empty'],
    [`{"_id":"a"}\n{"token":"a-secret-token\n\n[1]`, 'Invalid: line 2, line 4.'],
    [`[{"_id":"a"},7]`, 'Invalid: item 2.'],
    [`{\n"_id": "a"\n}\n{\n"_id": "b"\n}`, /Invalid: line 1, line 2, .* mongoexport --collection/],
    [new Uint8Array([0x7b, 0xff, 0x7d]), 'FILE is not UTF-8.'],
  ])('refuses %p and writes nothing', async (content, reason) => {
    const { code, output } = await run(content);
    expect(code).toBe(1);
    expect(output).toEqual(
      typeof reason === 'string' ? expect.stringContaining(reason) : expect.stringMatching(reason),
    );
    expect(output).not.toContain('a-secret');
  });

  it('refuses unknown teams, owners and options', async () => {
    for (const [args, reason] of [
      [['--team', 'nowhere'], 'There is no team "nowhere".'],
      [['--owner', 'nobody'], 'There is no account "nobody".'],
      [['--force'], 'Usage: hookline import rocketchat FILE.json'],
      [['another'], 'Name one file'],
    ] as const) {
      const { code, output } = await run(lines(incoming('A')), ...args);
      expect([code, output]).toEqual([1, expect.stringContaining(reason)]);
    }
  }, 60_000);

  it('does not touch the database of a running server', async () => {
    await started(async () => {
      const { code, output } = await run(lines(incoming('Late')));
      expect([code, output]).toEqual([1, expect.stringContaining('Stop it for the import.')]);
    });
  }, 60_000);

  it('survives fields of every type', async () => {
    const odd = [null, 7, true, '', '\u0000\ud800', [], [null, 7], {}, { $oid: 7 }];
    const documents = Object.keys(incoming('x'))
      .concat('alias', 'avatar', 'emoji', 'script')
      .flatMap((field) =>
        odd.flatMap((value, at) => [
          incoming(`i ${field} ${at}`, { [field]: value }),
          outgoing(`o ${field} ${at}`, { urls: [`http://127.0.0.1:9/${field}/${at}`], [field]: value }),
        ]),
      );
    const { code, output } = await run(lines(...documents));
    expect([code, output]).toEqual([0, expect.stringMatching(/\n\d+ integrations: .*\.\n$/)]);
    await started(async (list) => expect(list.length).toBeGreaterThan(50));
  }, 60_000);
});
