/** Messages of programs in the console, in Chromium. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { axeOn, openConsole, seriousFaults } from './support/console.mjs';
import { buildChannel, serverUrl } from './support/scene.mjs';

const TEXT = `# Release 2.4
**New _for [all](https://docs.example/a_(b))_**, ~~old~~, __strong__, snake_case_name and 2 * 3 * 4
- one
- two
  - inner
3. three

> quoted

| Job | Result |
|---|---|
| build | **passed** |

---
![graph](https://host.example/graph.png) [[a] b](https://host.example/b) **https://host.example/c** <https://host.example/d>`;
const ALERT = {
  pretext: 'An alert',
  author_name: 'Prometheus',
  author_link: 'https://prom.example/',
  title: '[FIRING:1] InstanceDown',
  title_link: 'https://am.example/#/alerts?q=(a)',
  fields: [
    { title: 'Severity', value: 'critical', short: true },
    { title: 'Instance', value: 'db-1', short: true },
    { title: 'Long', value: 'alone', short: false },
  ],
  image_url: 'https://host.example/image.png',
  thumb_url: 'https://host.example/thumb.png',
  footer: 'The foot',
  ts: '1767225600.5',
};

describe('message texts in the console', () => {
  let console, scene;

  before(async () => {
    console = await openConsole('texts');
    scene = console.scene;
  });
  after(() => console?.close());

  const link = (where, name) => where.getByRole('link', { name, exact: true });
  const hrefOf = (where, name) => link(where, name).getAttribute('href');

  /** Checks a channel and the preview of a webhook. */
  async function assertWhole(where) {
    await where.getByRole('heading', { name: 'Release 2.4' }).waitFor();
    assert.equal(await where.locator('b i a').getAttribute('href'), 'https://docs.example/a_(b)');
    assert.equal(await where.locator('s').innerText(), 'old');
    assert.equal(await where.locator('b').getByText('strong', { exact: true }).count(), 1);
    await where.getByText('snake_case_name and 2 * 3 * 4').waitFor();
    assert.equal(await where.locator('ul ul li').innerText(), 'inner');
    assert.equal(await where.locator('ol[start="3"] li').innerText(), 'three');
    assert.equal(await where.locator('blockquote').innerText(), 'quoted');
    assert.equal(await where.getByRole('row').nth(1).innerText(), 'build\tpassed');
    assert.equal(await where.locator('hr').count(), 1);
    assert.equal(await hrefOf(where, 'Image: graph'), 'https://host.example/graph.png');
    assert.equal(await hrefOf(where, '[a] b'), 'https://host.example/b');
    for (const address of ['https://host.example/c', 'https://host.example/d'])
      assert.equal(await hrefOf(where, address), address);

    const alert = where.locator('.attachment').first();
    assert.equal(await hrefOf(alert, ALERT.title), ALERT.title_link);
    assert.equal(await hrefOf(alert, ALERT.author_name), ALERT.author_link);
    for (const address of [ALERT.image_url, ALERT.thumb_url])
      assert.equal(await hrefOf(alert, address), address);
    const placeOf = (text) => alert.getByText(text, { exact: true }).boundingBox();
    const [severity, instance, long] = await Promise.all(['Severity', 'Instance', 'Long'].map(placeOf));
    assert.equal(severity.y, instance.y);
    assert.ok(long.y > severity.y);
    assert.equal(await alert.locator('time').getAttribute('datetime'), '2026-01-01T00:00:00.500Z');
    await where.getByText('What stands for it').waitFor();
    assert.equal(await where.locator('.attachment').count(), 3);
  }

  test('render all markup and all parts of attachments', async () => {
    const channel = await buildChannel(scene.admin, scene.team.id, 'marks');
    const hook = await scene.admin.createIncomingWebhook({
      channel_id: channel.id,
      display_name: 'Marks',
      description: '',
    });
    const attachments = [
      ALERT,
      { image_url: 'https://host.example/alone.png' },
      { fallback: 'What stands for it' },
    ];
    const body = JSON.stringify({ text: TEXT, username: 'Robot', icon_emoji: 'rocket', attachments });
    assert.equal((await fetch(`${serverUrl}/hooks/${hook.id}`, { method: 'POST', body })).status, 200);
    await console.visit('marks', async (page) => {
      const address = `${serverUrl}/#/channels?team=${scene.team.id}&channel=${channel.id}`;
      await page.goto(address);
      const message = page.getByRole('list', { name: 'Messages' }).locator('article').last();
      await assertWhole(message);
      assert.equal(await message.getByRole('img', { name: ':rocket:' }).innerText(), '🚀');
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await seriousFaults(axeOn(page)), [], colorScheme);
      }
      await page.goto(`${serverUrl}/#/incoming/${hook.id}`);
      await page.getByLabel('Payload').fill(body);
      await assertWhole(page.locator('.preview'));
    });
  });
});
