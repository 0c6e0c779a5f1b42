/** Messages in the console with scripts in their markup, or with markup that is slow to parse. */
import { after, before, describe, test } from 'node:test';
import { assertHarmless, HOSTILE, hostileAttachments, openConsole, SCRIPT } from './support/console.mjs';
import { buildChannel, eventually, serverUrl } from './support/scene.mjs';

/** Nested and unclosed markup. */
const MARKS = [
  '# ' + HOSTILE,
  `- ${HOSTILE}\n  1. ${HOSTILE}`,
  `> **_~~${HOSTILE}~~_**`,
  `| ${HOSTILE} |\n|---|\n| ${HOSTILE} |`,
  `![x](${SCRIPT}) <${SCRIPT}> [[x]](${SCRIPT})`,
];
const ENDLESS = [
  '[',
  '[a](',
  '**_~~',
  '*a **b ',
  '` `` ``` ',
  '> ',
  '- ',
  '  - a\n',
  '|a',
  '|-|\n',
  '#',
  '((',
  '![',
  '\\',
  'https://(',
  '***',
];

describe('hostile messages in the console', () => {
  let scene;
  let console;
  let visit;

  before(async () => {
    console = await openConsole('hostile-texts');
    ({ scene, visit } = console);
  });
  after(() => console?.close());

  async function look(page, channel, shown) {
    await page.goto(`${serverUrl}/#/channels?channel=${channel.id}`);
    await page.reload();
    await page.getByText(shown).filter({ visible: true }).first().waitFor(); // not the content of collapsed options
    await assertHarmless(page, shown);
  }

  test('are shown as text, regardless of their markup', async () => {
    for (const message of MARKS) await scene.admin.createPost({ channel_id: scene.channel.id, message });
    const read = async (page) => {
      await look(page, scene.channel, '<img src=x onerror');
      // The server removes such URLs, so these bypass it.
      await page.route('**/channels/*/posts*', async (route) => {
        const response = await route.fetch();
        const list = await response.json();
        for (const one of Object.values(list.posts))
          one.props = {
            attachments: hostileAttachments,
            override_icon_url: SCRIPT,
            override_icon_emoji: HOSTILE,
          };
        await route.fulfill({ response, json: list });
      });
      await look(page, scene.channel, 'Image:');
      await page.locator('.attachment').getByText(SCRIPT).first().waitFor();
    };
    await visit('marks', read, { viewport: { width: 1280, height: 6_000 } }); // all messages are visible
  });

  test('do not block the page, however long and nested they are', async () => {
    const channel = await buildChannel(scene.admin, scene.team.id, 'endless');
    const message = (part) => part.repeat(16_000 / part.length);
    for (const part of ENDLESS)
      await scene.admin.createPost({ channel_id: channel.id, message: message(part) });
    await scene.admin.createPost({ channel_id: channel.id, message: 'The end.' });
    await visit('endless', async (page) => {
      await look(page, channel, 'The end.');
      await page.getByRole('list', { name: 'Messages' }).focus();
      await eventually('the first', async () => {
        await page.keyboard.press('Home');
        return (
          (await page.getByText('This is the start of the channel.').count()) === 1 &&
          (await page.getByText('[[[[').count()) === 1
        );
      });
    });
  });
});
