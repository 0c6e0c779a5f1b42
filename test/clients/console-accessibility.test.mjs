/** Every page of the console, in Chromium, as axe judges it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { axeOn, openConsole, seriousFaults } from './support/console.mjs';
import { serverUrl, unique } from './support/scene.mjs';

describe('the accessibility of the console', () => {
  let console;
  let scene;
  let visit;

  before(async () => {
    console = await openConsole('accessibility');
    ({ scene, visit } = console);
  });
  after(() => console?.close());

  /** Every page, those of one record and each of their parts. */
  const addresses = async () => {
    const hook = await scene.admin.createOutgoingWebhook({
      team_id: scene.team.id,
      channel_id: scene.channel.id,
      display_name: 'Looked at',
      trigger_words: [unique('word')],
      callback_urls: [console.receiver.url],
    });
    await scene.admin.createPost({ channel_id: scene.channel.id, message: hook.trigger_words[0] });
    await fetch(scene.hookUrl, { method: 'POST', body: '{"text":""}' });
    const incoming = `/incoming/${scene.hook.id}`;
    const outgoing = `/outgoing/${hook.id}`;
    return [
      ...['/', `/channels?channel=${scene.channel.id}`, '/incoming', incoming, `${incoming}?tab=calls`],
      ...['/outgoing', outgoing, `${outgoing}?tab=words`, `${outgoing}?tab=test`, `${outgoing}?tab=secret`],
      ...['/deliveries', '/endpoints', '/connections', '/people', '/people?tab=bots', '/people?tab=tokens'],
      ...[
        `/people/${scene.me.id}`,
        '/teams',
        `/teams/${scene.team.id}`,
        `/teams/${scene.team.id}?tab=members`,
      ],
      '/system',
      '/system?tab=settings',
      '/system?tab=audits',
    ];
  };

  test('has no serious fault of accessibility on any page, light or dark', () =>
    visit('pages', async (page) => {
      for (const address of await addresses()) {
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto('about:blank'); // nothing of the page before is left
        await page.goto(`${serverUrl}/#${address}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.locator('.loading').first().waitFor({ state: 'detached' });
        assert.deepEqual(await seriousFaults(axeOn(page)), [], address);
        await page.emulateMedia({ colorScheme: 'dark' });
        const ofColors = axeOn(page).withRules(['color-contrast']);
        assert.deepEqual(await seriousFaults(ofColors), [], `${address}, dark`);
      }
    }));
});
