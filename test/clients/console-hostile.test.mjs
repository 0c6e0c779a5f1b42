/** The console in Chromium, when names, texts, payloads and replies hold scripts. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { HOSTILE, openConsole } from './support/console.mjs';
import { eventually, serverUrl, unique, userPassword } from './support/scene.mjs';

/** As much as fits into a name, with the first script whole. */
const NAME = HOSTILE.slice(0, 64);

describe('the console shows as text', () => {
  let console;
  let scene;
  let visit;

  before(async () => {
    console = await openConsole('hostile');
    ({ scene, visit } = console);
    console.receiver.text = HOSTILE;
    console.receiver.headers = { 'X-Hostile': HOSTILE };
  });
  after(() => console?.close());

  async function assertHarmless(page, address) {
    assert.equal(await page.title().then((title) => title === 'taken'), false, address);
    assert.equal(await page.locator('main img, main script, a[href^="javascript"]').count(), 0, address);
  }

  async function look(page, address, shown) {
    await page.goto(`${serverUrl}/#${address}`);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText(shown).first().waitFor();
    await assertHarmless(page, address);
  }

  test('what comes in through a webhook', async () => {
    const hook = await scene.admin.createIncomingWebhook({
      channel_id: scene.channel.id,
      display_name: NAME,
      description: HOSTILE,
    });
    const attachments = [
      {
        title: HOSTILE,
        title_link: 'javascript:document.title="taken"',
        text: HOSTILE,
        color: HOSTILE,
        fields: [{ title: HOSTILE, value: HOSTILE }],
      },
    ];
    const post = (body, headers = {}) =>
      fetch(`${serverUrl}/hooks/${hook.id}`, { method: 'POST', body, headers });
    const posted = await post(JSON.stringify({ text: HOSTILE, username: '<b>x</b>', attachments }));
    assert.equal(posted.status, 200);
    await post(HOSTILE, { 'User-Agent': HOSTILE });
    await post(JSON.stringify({ text: '['.repeat(8_000) + '[a]('.repeat(1_500) }));
    await visit('incoming', async (page) => {
      await look(page, `/channels?channel=${scene.channel.id}`, '<img src=x onerror');
      await look(page, '/incoming', NAME);
      await look(page, '/', NAME);
      await look(page, `/incoming/${hook.id}?tab=calls`, NAME);
      await page.getByRole('table').getByRole('button').first().click();
      await page.getByRole('dialog').getByText('<img src=x onerror').first().waitFor();
      await assertHarmless(page, 'a call');
      await look(page, `/incoming/${hook.id}`, NAME);
      await page.getByLabel('Payload').fill(JSON.stringify({ text: HOSTILE, attachments }));
      await page.locator('.preview').getByText('<img src=x onerror').first().waitFor();
      await assertHarmless(page, 'the preview');
    });
  });

  test('what a webhook sends, and what the program replies', async () => {
    const word = unique('word');
    const hook = await scene.admin.createOutgoingWebhook({
      team_id: scene.team.id,
      channel_id: scene.channel.id,
      display_name: NAME,
      description: HOSTILE,
      trigger_words: [word, HOSTILE],
      callback_urls: [`${console.receiver.url}?${encodeURIComponent(HOSTILE)}`],
    });
    await scene.admin.createPost({ channel_id: scene.channel.id, message: `${word} ${HOSTILE}` });
    await eventually('the call', () => console.receiver.received.length > 0);
    const endpoint = encodeURIComponent(JSON.stringify(new URL(console.receiver.url).origin));
    await visit('outgoing', async (page) => {
      await look(page, '/outgoing', NAME);
      await look(page, `/endpoints/details?endpoint=${endpoint}`, NAME);
      await look(page, '/deliveries', NAME);
      await look(page, `/outgoing/${hook.id}`, NAME);
      await page.getByRole('list', { name: 'Deliveries' }).getByRole('button').first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('heading', { name: 'Attempt 1' }).waitFor();
      await dialog.getByText('<img src=x onerror').first().waitFor();
      await assertHarmless(page, 'a delivery');
      for (const tab of ['words', 'test', 'secret'])
        await look(page, `/outgoing/${hook.id}?tab=${tab}`, NAME);
    });
  });

  test('what people, teams, channels and servers are called', async () => {
    const { admin, team } = scene;
    const username = unique('hostile');
    const user = await admin.createUser({
      username,
      email: `${username}@example.com`,
      password: userPassword,
      first_name: NAME,
      nickname: NAME,
      position: NAME,
    });
    const other = await admin.createTeam({ name: unique('hostile'), display_name: NAME, type: 'O' });
    await admin.createChannel({
      team_id: other.id,
      name: unique('hostile'),
      display_name: NAME,
      purpose: HOSTILE.slice(0, 250),
      type: 'O',
    });
    await admin.createUserAccessToken(user.id, HOSTILE.slice(0, 255));
    const { remote_cluster: peer } = await admin.createRemoteCluster({
      name: unique('hostile'),
      display_name: NAME,
      default_team_id: team.id,
    });
    await visit('names', async (page) => {
      await look(page, `/people?search=${username}`, NAME);
      await look(page, '/people?tab=tokens', NAME);
      await look(page, `/people/${user.id}`, NAME);
      await look(page, '/teams', NAME);
      await look(page, `/teams/${other.id}`, NAME);
      await look(page, '/connections', NAME);
      await look(page, `/connections/${peer.remote_id}`, NAME);
      await page.goto(`${serverUrl}/#/system?tab=audits`);
      await page.getByRole('row').nth(5).waitFor();
      await assertHarmless(page, 'audits');
    });
  });
});
