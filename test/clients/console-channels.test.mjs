/** Channel messages in the console, in Chromium: live, search, posting, markup, and hostile texts. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  assertHarmless,
  axeOn,
  button,
  exactButton,
  fieldOf,
  go,
  gone,
  hasFocus,
  hold,
  HOSTILE,
  hostileAttachments,
  PHONE,
  REFUSAL,
  SCRIPT,
  seriousFaults,
  useConsole,
} from './support/console.mjs';
import { buildChannel, eventually, postsIn, serverUrl, unique } from './support/scene.mjs';

const COUNT = 130;

describe('the console: channels', () => {
  const { scene, visit, buildMember, incomingHookFor } = useConsole();

  let busy;
  before(async () => {
    busy = await buildChannel(scene.admin, scene.team.id, 'messages');
    // Of different heights.
    for (let index = 1; index <= COUNT; index++)
      await post(busy, `Message ${index}.${'\nAnother line.'.repeat(index % 5)}`);
  });

  const post = (channel, message, fields) =>
    scene.admin.createPost({ channel_id: channel.id, message, ...fields });
  const placeOf = (channel) => `${serverUrl}/#/channels?team=${scene.team.id}&channel=${channel.id}`;
  const messages = (page) => page.getByRole('list', { name: 'Messages' });
  const message = (page, index) => messages(page).getByText(`Message ${index}.`);
  const draft = (page) => page.getByLabel('Write a message');
  async function isInSight(page, text) {
    const found = messages(page).getByText(text);
    if ((await found.count()) === 0) return false;
    return found
      .evaluate((one) => {
        const { top, bottom } = one.closest('[role=list]').getBoundingClientRect();
        const own = one.getBoundingClientRect();
        return own.top >= top - 1 && own.bottom <= bottom + 1;
      })
      .catch(() => false);
  }
  const untilInSight = (page, text) => eventually(`${text} in sight`, () => isInSight(page, text));
  /** The position of an element once it has not moved for some frames, because keys scroll smoothly. */
  async function untilStill(page, placeOf) {
    for (let last = await placeOf(); ;) {
      await page.evaluate(async () => {
        for (let frame = 0; frame < 5; frame++) await new Promise(globalThis.requestAnimationFrame);
      });
      const place = await placeOf();
      if (JSON.stringify(place) === JSON.stringify(last)) return place;
      last = place;
    }
  }

  test('open at the newest message, scroll to the oldest and keep the position', () =>
    visit(async (page) => {
      await page.goto(placeOf(busy));
      await untilInSight(page, `Message ${COUNT}.`);
      await post(busy, 'While at the end.');
      await untilInSight(page, 'While at the end.');
      await page.setViewportSize({ width: 1280, height: 600 });
      await untilInSight(page, 'While at the end.');
      await messages(page).focus();
      await page.keyboard.press('PageUp');
      await button(page, 'Newest messages').waitFor();
      const reading = await messages(page).locator('article').nth(3).innerText();
      const placeOfIt = () => messages(page).getByText(reading.split('\n').at(-1)).first().boundingBox();
      const before = await untilStill(page, placeOfIt);
      const topOf = async (text) => (await messages(page).getByText(text, { exact: true }).boundingBox())?.y;
      for (const text of ['One more.', 'And one more.']) await post(busy, text);
      await button(page, '2 new messages').waitFor();
      assert.deepEqual(await placeOfIt(), before);

      await eventually('the oldest message', async () => {
        await page.keyboard.press('Home');
        return isInSight(page, 'Message 1.');
      });
      await messages(page).getByText('This is the start of the channel.').waitFor();
      assert.ok((await messages(page).locator('article').count()) < 40);
      await button(page, '2 new messages').press('Enter');
      await untilInSight(page, 'And one more.');
      assert.ok(await hasFocus(messages(page)));
      assert.equal(await page.locator('.to-end button').count(), 0);
      const end = await untilStill(page, () => topOf('And one more.'));
      await page.keyboard.press('ArrowUp');
      await eventually('a step up', async () => (await topOf('And one more.')) > end);
      await untilStill(page, () => topOf('And one more.'));
      assert.ok((await topOf('And one more.')) > end, 'stays there after scrolling up a little');
    }));

  test('keep the position while older messages load', () =>
    visit(async (page) => {
      const { requests, release } = await hold(page, '**/posts?before=*');
      await page.goto(placeOf(busy));
      await untilInSight(page, 'And one more.');
      await messages(page).evaluate((list) => list.scrollTo({ top: 0 }));
      await eventually('the question', () => requests.length > 0);
      const [, index] = /Message (\d+)/.exec(await messages(page).locator('article').nth(1).innerText());
      const top = async () => (await message(page, index).boundingBox())?.y;
      await untilInSight(page, `Message ${index}.`);
      const before = await top();
      const read = page.waitForResponse('**/posts?before=*');
      release();
      await read;
      await messages(page).evaluate(
        (list) =>
          list.scrollTop > 1_000 ||
          new Promise((resolve) => list.addEventListener('scroll', resolve, { once: true })),
      );
      const moved = (await top()) - before;
      assert.ok(Math.abs(moved) < 4, `it has moved by ${moved} pixels`);
      assert.ok(await isInSight(page, `Message ${index}.`));
    }));

  test('report a failure to load older messages, and retry', () =>
    visit(async (page) => {
      await page.route('**/posts?before=*', (route) => route.fulfill(REFUSAL), { times: 1 });
      await page.goto(placeOf(busy));
      await untilInSight(page, 'And one more.');
      await messages(page).evaluate((list) => list.scrollTo({ top: 0 }));
      await page.getByText('Refused by the test.').waitFor();
      await button(page, 'Try again').click();
      await eventually('the oldest message', async () => {
        await messages(page).evaluate((list) => list.scrollTo({ top: 0 }));
        return isInSight(page, 'Message 1.');
      });
    }, PHONE));

  test('show changes and deletions of listed messages', async () => {
    const channel = await buildChannel(scene.admin, scene.team.id, 'changes');
    await post(channel, 'Of tomorrow.', { create_at: Date.now() + 86_400_000 });
    const first = await post(channel, 'To be changed.');
    const second = await post(channel, 'To be deleted.');
    await visit(async (page) => {
      await page.goto(placeOf(channel));
      await untilInSight(page, 'To be deleted.');
      await scene.admin.patchPost({ id: first.id, message: 'It was changed.' });
      await untilInSight(page, 'It was changed.');
      await scene.admin.deletePost(second.id);
      await gone(messages(page).getByText('To be deleted.'));
      await post(channel, 'A reply.', { root_id: first.id });
      await untilInSight(page, 'A reply.');
      await exactButton(page, '1 reply').waitFor();
    });
  });

  test('fit a phone, with the newest message and the field visible', () =>
    visit(async (page) => {
      await page.goto(placeOf(busy));
      await untilInSight(page, 'And one more.');
      const { y, height } = await button(page, 'Send').boundingBox();
      assert.ok(y + height <= PHONE.viewport.height, `the button ends at ${y + height}`);
      assert.ok((await messages(page).boundingBox()).height > 200);
      assert.equal(await page.locator('html').evaluate((whole) => whole.scrollWidth), PHONE.viewport.width);
    }, PHONE));

  test('a message is posted once, however often and however late it is sent', async () => {
    const channel = await buildChannel(scene.admin, scene.team.id, 'once');
    const text = unique('once');
    await visit(async (page) => {
      const ids = [];
      let lose;
      const isLost = new Promise((resolve) => (lose = resolve));
      await page.route('**/api/v4/posts', async (route) => {
        ids.push(route.request().postDataJSON().pending_post_id);
        await route.fetch();
        await isLost; // the response
        await route.abort();
      });
      await page.goto(placeOf(channel));
      await draft(page).fill(text);
      await draft(page).press('Control+Enter');
      await draft(page).press('Control+Enter');
      await untilInSight(page, text);
      lose();
      await page.getByText('The server cannot be reached.').waitFor();
      assert.equal(ids.length, 1);
      await page.unroute('**/api/v4/posts');
      await page.reload(); // the draft is still there
      const repeat = page.waitForRequest(/\/api\/v4\/posts$/);
      await button(page, 'Send').click();
      assert.equal((await repeat).postDataJSON().pending_post_id, ids[0]);
      await eventually('an empty field', async () => (await draft(page).inputValue()) === '');
      await draft(page).fill(text);
      await button(page, 'Send').click(); // the same again, on purpose
      await eventually('an empty field', async () => (await draft(page).inputValue()) === '');
    });
    assert.equal((await postsIn(scene.admin, channel.id)).length, 2);
  });

  test('the refusal of a message is shown next to it', () =>
    visit(async (page) => {
      await page.goto(placeOf(scene.channel));
      await draft(page).fill('x'.repeat(16_384));
      await button(page, 'Send').click();
      await fieldOf(page, draft(page)).getByRole('alert').waitFor();
      assert.equal(await draft(page).getAttribute('aria-invalid'), 'true');
    }));

  test('the address names the team, so that another user finds the channel', async () => {
    const { user, login } = await buildMember();
    const names = { name: unique('a'), display_name: unique('Other') };
    const other = await scene.admin.createTeam({ ...names, type: 'O' });
    await scene.admin.addToTeam(other.id, user.id);
    await scene.admin.addToChannel(user.id, busy.id);
    const list = (page) => page.getByRole('navigation', { name: 'Channels' });
    const entry = (page, name) => list(page).getByRole('link', { name });
    let address;
    await visit(async (page) => {
      await go(page, '/channels');
      await entry(page, busy.display_name).click();
      await untilInSight(page, 'And one more.');
      address = page.url();
    });
    await visit(async (page) => {
      await button(page, 'Switch team').click();
      await page.getByRole('menuitemradio', { name: other.display_name }).click();
      await button(page, `Switch team, ${other.display_name}`).waitFor();
      await page.goto(address);
      await page.reload();
      await untilInSight(page, 'And one more.');
      await button(page, `Switch team, ${scene.team.display_name}`).waitFor();
      assert.equal(await entry(page, busy.display_name).getAttribute('aria-current'), 'page');
    }, login);
  });

  test('mark a channel with unread messages until it is opened', async () => {
    const channel = await buildChannel(scene.admin, scene.team.id, 'marked');
    const hook = await incomingHookFor({ channel_id: channel.id });
    await visit(async (page) => {
      const entry = page
        .getByRole('navigation', { name: 'Channels' })
        .getByRole('link', { name: channel.display_name });
      await page.goto(placeOf(busy));
      await page.getByText('Connected', { exact: true }).waitFor();
      await entry.waitFor();
      assert.equal(await entry.getByText('unread').count(), 0);
      await fetch(`${serverUrl}/hooks/${hook.id}`, { method: 'POST', body: '{"text":"The news."}' });
      await entry.getByText('unread').waitFor();
      const viewed = page.waitForResponse('**/members/me/view');
      await entry.click();
      await untilInSight(page, 'The news.');
      await messages(page).getByText('New messages').waitFor();
      await viewed;
      await page.goto(placeOf(busy));
      await page.reload();
      await entry.waitFor();
      assert.equal(await entry.getByText('unread').count(), 0);
    });
  });

  test('fold many system messages', async () => {
    const channel = await buildChannel(scene.admin, scene.team.id, 'crowded');
    const { user } = await buildMember();
    await scene.admin.addToChannel(user.id, channel.id);
    for (let index = 0; index < 2; index++) {
      await scene.admin.removeFromChannel(user.id, channel.id);
      await scene.admin.addToChannel(user.id, channel.id);
    }
    await visit(async (page) => {
      await page.goto(placeOf(channel));
      await messages(page)
        .getByText(/\d joined, 2 left/)
        .waitFor();
      await exactButton(messages(page), 'Show').click();
      await messages(page).getByText(`${user.username} was removed from the channel.`).first().waitFor();
    });
  });

  test('a search says when there may be more', () =>
    visit(async (page) => {
      await page.goto(placeOf(busy));
      const search = page.getByLabel('Search messages');
      await search.fill('Message');
      await search.press('Enter');
      const results = page.getByRole('list', { name: 'Search results' });
      await results.getByText('Message 1.').waitFor();
      await results.getByText(`Message ${COUNT}.`).waitFor();
      const more = page.getByText('there may be more');
      assert.equal(await more.count(), 0);
      await page.route('**/posts/search', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), has_next: true } });
      });
      await search.press('Enter');
      await more.waitFor();
      await results.getByRole('link', { name: busy.display_name }).first().click();
      await untilInSight(page, 'And one more.');
    }));
});

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

describe('the console: message texts', () => {
  const { scene, visit, say, incomingHookFor } = useConsole();

  const link = (where, name) => where.getByRole('link', { name, exact: true });
  const hrefOf = (where, name) => link(where, name).getAttribute('href');

  /** Checks a channel and the preview of a webhook. */
  async function assertWhole(where) {
    await where.getByRole('heading', { name: 'Release 2.4' }).waitFor();
    assert.equal(await where.locator('strong em a').getAttribute('href'), 'https://docs.example/a_(b)');
    assert.equal(await where.locator('del').innerText(), 'old');
    assert.equal(await where.locator('strong').getByText('strong', { exact: true }).count(), 1);
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

  test('are shown completely, and a URL ends before the punctuation', () =>
    visit(async (page) => {
      await say('```npm test failed```');
      await say('```rollback began');
      await say('```sh\nnpm ci\n```\nSee https://docs.example/a/b, or https://docs.example/c.');
      await go(page, `/channels?channel=${scene.channel.id}`);
      for (const text of ['npm test failed', 'rollback began']) await page.getByText(text).waitFor();
      await page.locator('pre').getByText('npm ci', { exact: true }).waitFor();
      for (const address of ['https://docs.example/a/b', 'https://docs.example/c'])
        assert.equal(await hrefOf(page, address), address);
    }));

  test('render all markup and all parts of attachments', async () => {
    const channel = await buildChannel(scene.admin, scene.team.id, 'marks');
    const hook = await incomingHookFor({ channel_id: channel.id });
    const attachments = [
      ALERT,
      { image_url: 'https://host.example/alone.png' },
      { fallback: 'What stands for it' },
    ];
    const body = JSON.stringify({ text: TEXT, username: 'Robot', icon_emoji: 'rocket', attachments });
    assert.equal((await fetch(`${serverUrl}/hooks/${hook.id}`, { method: 'POST', body })).status, 200);
    await visit(async (page) => {
      const address = `${serverUrl}/#/channels?team=${scene.team.id}&channel=${channel.id}`;
      await page.goto(address);
      const message = page.getByRole('list', { name: 'Messages' }).locator('article').last();
      await assertWhole(message);
      assert.equal(await message.getByRole('img', { name: ':rocket:' }).innerText(), '🚀');
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await seriousFaults(axeOn(page)), [], colorScheme);
      }
      await go(page, `/incoming/${hook.id}?tab=test`);
      await page.getByLabel('Payload').fill(body);
      await assertWhole(page.locator('.preview'));
    });
  });
});

/** Nested and unclosed markup. */
const MARKS = [
  '# ' + HOSTILE,
  `- ${HOSTILE}\n  1. ${HOSTILE}`,
  `> **_~~${HOSTILE}~~_**`,
  `| ${HOSTILE} |\n|---|\n| ${HOSTILE} |`,
  `![x](${SCRIPT}) <${SCRIPT}> [[x]](${SCRIPT})`,
];
/** The first is at the top of the channel. */
const ENDLESS = [
  ...'[ [a]( **_~~ |a # (( ![ \\ https://( ***'.split(' '),
  ...['*a **b ', '` `` ``` ', '> ', '- ', '  - a\n', '|-|\n'],
];

describe('the console: hostile messages', () => {
  const { scene, visit, say } = useConsole();

  async function look(page, channel, shown) {
    await go(page, `/channels?channel=${channel.id}`);
    await page.reload();
    await page.getByText(shown).filter({ visible: true }).first().waitFor(); // not the content of collapsed options
    await assertHarmless(page, shown);
  }

  test('are shown as text, regardless of their markup', async () => {
    for (const message of MARKS) await say(message);
    await visit(
      async (page) => {
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
      },
      { viewport: { width: 1280, height: 6_000 } },
    );
  });

  test('do not block the page, however long and nested they are', async () => {
    const channel = await buildChannel(scene.admin, scene.team.id, 'endless');
    const message = (part) => part.repeat(16_000 / part.length);
    for (const part of ENDLESS)
      await scene.admin.createPost({ channel_id: channel.id, message: message(part) });
    await scene.admin.createPost({ channel_id: channel.id, message: 'The end.' });
    await visit(async (page) => {
      await look(page, channel, 'The end.');
      const list = page.getByRole('list', { name: 'Messages' });
      const isStart = async () => (await page.getByText('This is the start of the channel.').count()) === 1;
      await eventually('the first', async () => {
        await list.evaluate((frame) => frame.scrollTo({ top: 0, behavior: 'instant' }));
        return (await isStart()) && (await page.getByText('[[[[').count()) === 1;
      });
    });
  });
});
