/** The webhook pages of the console, in Chromium. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { Webhook } from 'standardwebhooks';
import {
  button,
  choose,
  confirm,
  copied,
  exactButton,
  fieldOf,
  fillIn,
  go,
  gone,
  hasFocus,
  heading,
  hold,
  open,
  pressAndConfirm,
  rowOf,
  useConsole,
} from './support/console.mjs';
import { eventually, postsIn, serverUrl, unique } from './support/scene.mjs';
import { runnable, verdictsOf } from './support/verifiers.mjs';

const [WORDS, URLS] = ['Trigger words, one per line', 'URLs, one per line'];

/** Opens the form of a new outgoing webhook, and fills it in. Returns its dialog. */
async function openForm(page, { name, word, url, channel = 'All public channels' }) {
  await open(page, 'Outgoing');
  await button(page, 'Add a webhook').first().click();
  const dialog = page.getByRole('dialog');
  const channels = dialog.getByRole('combobox', { name: 'Channel' });
  assert.equal(await channels.inputValue(), '');
  await choose(channels, channel);
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await fillIn(dialog, { [WORDS]: word, [URLS]: url });
  return dialog;
}

describe('the console: webhooks', () => {
  const { scene, receiver, visit, api, hookFor, incomingHookFor, buildMember, say } = useConsole();

  test('creates an incoming webhook, sends a test through it, and deletes it', async () => {
    const { user } = await buildMember();
    await visit(async (page) => {
      const name = unique('made');
      await open(page, 'Incoming');
      await button(page, 'Add a webhook').click();
      await page.getByLabel('Search senders').fill('script');
      await button(page, 'Script or program').click();
      await page.getByLabel('Name').fill(name);
      await choose(page.getByRole('combobox', { name: 'Channel' }), 'Town Square');
      await page.getByText('More', { exact: true }).click();
      const owner = page.getByRole('combobox', { name: 'Owner' });
      await owner.fill(unique('nobody'));
      await page.getByText('No results').waitFor();
      await owner.fill(user.username);
      await page.getByRole('option', { name: user.username, exact: true }).click();
      await exactButton(page, 'Create webhook').click();
      await page.getByText('Waiting for the first call…').waitFor();
      await button(page, 'Open the webhook').click();
      await heading(page, name).waitFor();
      const factOf = (title) => page.locator(`dt:text-is("${title}") + dd`);
      await factOf('Owner').getByText(user.username).waitFor();
      await factOf('Last used').getByText('never').waitFor();
      await page.getByRole('heading', { name: 'Connect the sender' }).waitFor();
      await page.getByRole('tab', { name: 'Test' }).click();

      // Every sample is a message, and edits survive looking at other samples.
      const samples = page.getByRole('combobox', { name: 'Sample' });
      await samples.click();
      const names = await page.getByRole('option').allInnerTexts();
      await page.keyboard.press('Escape');
      for (const sample of names) {
        await choose(samples, sample);
        const edited = (await page.getByLabel('Payload').inputValue()).replace(/^\{/, '{ ');
        await page.getByLabel('Payload').fill(edited);
        await page.locator('.preview .post').first().waitFor();
        assert.equal(await page.locator('.preview .fault').count(), 0, sample);
      }
      await page.getByRole('tab', { name: 'Calls' }).click();
      await page.getByText('No calls are kept.').waitFor();
      await page.getByRole('tab', { name: 'Test' }).click();
      assert.match(await samples.inputValue(), /Alertmanager/);
      assert.match(await page.getByLabel('Payload').inputValue(), /^\{ /);
      await button(page, 'Undo the changes').click();
      assert.match(await page.getByLabel('Payload').inputValue(), /^\{\n/);

      await page.getByLabel('Payload').fill('{\n"text":"  ');
      await page.locator('mark').getByText('"text":').waitFor();
      await page.getByText(/^Line 2: Unterminated string/).waitFor();
      const preview = page.locator('.preview');
      await preview.getByText(/^Invalid webhook payload/).waitFor();
      await preview.getByText(/^Request/).waitFor();
      const text = unique('tested');
      const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: `*${text}*` } }];
      await page.getByLabel('Payload').fill(JSON.stringify({ blocks }));
      await page.locator('.preview').getByText(text).waitFor();
      await page.getByLabel('Payload').fill(JSON.stringify({ text }));
      await button(page, 'Send test').click();
      await page.getByText('Sent. The message is in the channel.').waitFor();
      await page.getByRole('tab', { name: 'Overview' }).click();
      await factOf('Last used').getByRole('time').waitFor();
      await page.getByRole('tab', { name: 'Test' }).click();
      const channel = await scene.admin.getChannelByName(scene.team.id, 'town-square');
      assert.ok((await postsIn(scene.admin, channel.id)).some(({ message }) => message === text));
      await page.getByLabel('Payload').fill('{"text":""}');
      await button(page, 'Send test').click();
      const alert = fieldOf(page, page.getByLabel('Payload')).getByRole('alert');
      await alert.getByText(/^Request/).waitFor();
      await page.getByRole('tab', { name: 'Calls' }).click();
      await rowOf(page, '400').click();
      await page.getByRole('link', { name: 'Edit and send' }).click();
      assert.equal(await page.getByLabel('Payload').inputValue(), '{"text":""}');
      const fixed = unique('fixed');
      await page.getByLabel('Payload').fill(JSON.stringify({ text: fixed }));
      await button(page, 'Send test').click();
      await page.getByText('Sent. The message is in the channel.').waitFor();
      assert.ok((await postsIn(scene.admin, channel.id)).some(({ message }) => message === fixed));
      await open(page, 'Incoming');
      const row = rowOf(page, name);
      await row.getByRole('link', { name: 'refused' }).waitFor();
      await button(row, `Copy the URL of ${name}`).click();
      assert.match(await copied(page), /\/hooks\/[a-z0-9]{26}$/);
      await row.getByRole('link', { name }).click();
      await page.getByRole('alert').getByText('Calls are refused').waitFor();
      await page.getByRole('tab', { name: 'Calls (1 refused)' }).waitFor();
      await page.getByRole('tab', { name: 'Settings' }).click();
      const record = page.url();
      await pressAndConfirm(page, 'Delete');
      await heading(page, 'Incoming webhooks').waitFor();
      assert.equal(await page.getByText(name).count(), 0);
      await page.goto(record);
      await page.getByRole('heading', { name: 'This webhook is gone' }).waitFor();
      assert.equal(await button(page, 'Try again').count(), 0);
      await page.getByRole('main').getByRole('link', { name: 'Incoming webhooks' }).click();
      await heading(page, 'Incoming webhooks').waitFor();
    });
  });

  test('explains why a locked webhook refuses, with the terms of the console, and opens the call by its row', async () => {
    const hook = await incomingHookFor({ channel_locked: true });
    const body = JSON.stringify({ text: 'Elsewhere.', channel: 'town-square' });
    assert.equal((await fetch(`${serverUrl}/hooks/${hook.id}`, { method: 'POST', body })).status, 403);
    await visit(async (page) => {
      const concern = page.getByRole('row').filter({ hasText: hook.display_name });
      await concern.getByText('unlock the webhook under “Settings”').waitFor();
      await concern.getByRole('link', { name: hook.display_name, exact: true }).click();
      await page.locator('.page-head').getByText('Refuses calls').waitFor();
      const why = page.getByRole('cell', { name: 'unlock the webhook under “Settings”' });
      const { x, y, width, height } = await why.boundingBox();
      await page.mouse.click(x + width / 2, y + height / 2);
      await button(page.getByRole('dialog'), 'Replay').waitFor();
    });
  });

  test('creates an outgoing webhook, fires it by a message, and shows the delivery', () =>
    visit(async (page) => {
      const name = unique('calls');
      const word = unique('deploy');
      await openForm(page, { name, word, url: 'no address', channel: 'Town Square' });
      await exactButton(page, 'Add').click();
      const refused = page.getByLabel(URLS);
      await fieldOf(page, refused).getByRole('alert').waitFor();
      assert.ok(await hasFocus(refused));
      assert.equal(await page.getByLabel(WORDS).inputValue(), word);
      await fillIn(page, { [URLS]: receiver.url }, 'Add');
      await heading(page, name).waitFor();
      const hookPage = page.url();
      await button(page, 'Edit').click();
      await page.getByText('More', { exact: true }).click();
      await page.getByLabel('Description').fill('Changed.');
      await choose(page.getByRole('combobox', { name: 'Match' }), 'The first word equals a trigger');
      const change = page.waitForRequest((request) => request.method() === 'PATCH');
      await button(page, 'Save').click();
      assert.deepEqual((await change).postDataJSON(), { description: 'Changed.', trigger_when: 2 });
      await page.getByRole('definition').getByText('The first word equals a trigger').waitFor();
      await page.getByRole('tab', { name: 'Test' }).click();
      const triggers = page.getByRole('region', { name: 'Test triggers' });
      await triggers.getByLabel('Message').fill(`${word} now`);
      await triggers.getByText(`Triggers on “${word}”`).waitFor();
      await fillIn(triggers, { 'Other trigger words': 'other' });
      await triggers.getByText(/^0 of the last \d+ messages would trigger it\. *$/).waitFor();
      const { received } = receiver;
      received.length = 0;
      await open(page, 'Channels');
      await page.getByLabel('Write a message').fill(`${word} now`);
      await button(page, 'Send').click();
      await page.getByText('The program has answered.').waitFor();
      assert.equal(received.length, 1);
      await page.goto(hookPage);
      await page.getByRole('tab', { name: 'Deliveries' }).click();
      const row = page.getByRole('list', { name: 'Deliveries' }).getByRole('button').first();
      await row.getByText('delivered').waitFor();
      await row.click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('heading', { name: 'Attempt 1' }).waitFor();
      await dialog.getByText('as its first word').waitFor();
      await dialog.getByText('The program has answered.').first().waitFor();
      await dialog.getByText('First byte').waitFor();
      await exactButton(dialog, 'Resend').click();
      await eventually('the second call', () => received.length === 2);
      await page.keyboard.press('Escape');
      await page.getByRole('tab', { name: 'Test' }).click();
      await button(page, 'Send test').click();
      const response = page
        .getByRole('status')
        .filter({ has: page.getByRole('heading', { name: 'Response' }) });
      await response.getByText('200', { exact: true }).waitFor();
      await response.getByText(/^\d+ ms$/).waitFor();
      await page.getByLabel('the reply', { exact: true }).getByText('The program has answered.').waitFor();
      await page.getByRole('tab', { name: 'Secret' }).click();
      assert.equal(await page.getByText(/^whsec_/).count(), 0);
      await button(page, 'Show').click();
      await page.getByText(/^whsec_/).waitFor();
    }));

  test('sets headers, authentication, events, order and rate of an outgoing webhook, and keeps its secrets', async () => {
    const hook = await hookFor({ display_name: unique('full'), trigger_words: [unique('full')] });
    const record = () => api(`/hooks/outgoing/${hook.id}`);
    await visit(async (page) => {
      await go(page, `/outgoing/${hook.id}`);
      await page.locator('dt:text-is("Last success") + dd').getByText('none').waitFor();
      await button(page, 'Edit').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Headers, authentication, order').click();
      await dialog.getByLabel('Headers, one per line', { exact: true }).fill('X-Team: blue: 1');
      await dialog.getByLabel('Secret headers, one per line').fill('Host: a');
      await choose(dialog.getByRole('combobox', { name: 'Authentication' }), 'User and password');
      await dialog.getByLabel('User', { exact: true }).fill('hookline');
      await dialog.getByLabel('Password', { exact: true }).fill('first');
      await dialog.getByLabel('Deliver the messages of a channel in order').check();
      await dialog.getByLabel('Calls per second').fill('7');
      await dialog.getByText('Events', { exact: true }).click();
      await dialog.getByLabel('A message is edited').check();
      await exactButton(dialog, 'Save').click();
      const secrets = page.getByLabel('Secret headers, one per line');
      await fieldOf(page, secrets).getByRole('alert').waitFor();
      await secrets.fill('X-Key: hidden');
      await exactButton(dialog, 'Save').click();
      await dialog.waitFor({ state: 'hidden' });
      await page.getByRole('tab', { name: 'Settings' }).click();
      await page.locator('dt:text-is("Events") + dd').getByText('A message is edited').waitFor();
      const saved = await record();
      assert.deepEqual(saved.headers, [
        { name: 'X-Team', secret: false, value: 'blue: 1' },
        { name: 'X-Key', secret: true },
      ]);
      assert.deepEqual(saved.auth, { type: 'basic', username: 'hookline' });
      assert.deepEqual(saved.events, ['message.triggered', 'message.edited']);
      assert.deepEqual([saved.ordering, saved.requests_per_second], ['channel', 7]);

      await button(page, 'Edit').click();
      assert.equal(await dialog.getByLabel('Password', { exact: true }).inputValue(), '');
      await dialog.getByLabel('User', { exact: true }).fill('other');
      const change = page.waitForRequest((request) => request.method() === 'PATCH');
      await exactButton(dialog, 'Save').click();
      assert.deepEqual((await change).postDataJSON(), { auth: { type: 'basic', username: 'other' } });
      await dialog.waitFor({ state: 'hidden' });
      assert.equal((await record()).auth.username, 'other');
    });
  });

  test('lets programs fetch the messages of an outgoing webhook, and shows the commands', async () => {
    const hook = await hookFor({ display_name: unique('fetched'), trigger_words: [unique('fetched')] });
    await visit(async (page) => {
      await go(page, `/outgoing/${hook.id}`);
      await button(page, 'Edit').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Let programs pull').click();
      await exactButton(dialog, 'Save').click();
      await dialog.waitFor({ state: 'hidden' });
      await page.getByRole('tab', { name: 'Test' }).click();
      await page.getByLabel('the command', { exact: true }).getByText(`--hook ${hook.id}`).waitFor();
      assert.equal(await page.getByText(hook.token).count(), 0);
      await button(page, 'Copy the command').click();
      assert.match(await copied(page), new RegExp(`HOOKLINE_TOKEN=${hook.token} npx hookline listen`));
      const { delivery, callback_urls: urls } = await api(`/hooks/outgoing/${hook.id}`);
      assert.deepEqual([delivery, urls], ['pull', []]);
    });
  });

  test('charts the last day of each listed outgoing webhook with one request', async () => {
    const word = unique('charted');
    const make = (words) => hookFor({ display_name: unique('charted'), trigger_words: words });
    const [called, idle] = [await make([word]), await make([unique('never')])];
    const callsAre = async (status, ...expected) => {
      receiver.status = status;
      await say(word);
      await eventually('counted calls', async () => {
        const { totals } = await api(`/hooks/outgoing/${called.id}/stats`);
        return isDeepStrictEqual([totals.delivered, totals.failed.http_4xx], expected);
      });
      receiver.status = 200;
    };
    await callsAre(200, 1, 0);
    await callsAre(410, 1, 1);
    await visit(async (page) => {
      const { requests, release } = await hold(page, '**/hooks/outgoing/stats?*');
      await page.setViewportSize({ width: 800, height: 800 });
      await go(page, '/outgoing');
      const row = (hook) => rowOf(page, hook.display_name);
      await row(called).waitFor();
      const boxes = async () => {
        const cells = await row(called).getByRole('cell').all();
        return Promise.all(cells.map((cell) => cell.boundingBox()));
      };
      const before = await boxes();
      release();
      await row(called).getByRole('img', { name: 'Last day: 1 delivered, 1 failed' }).waitFor();
      assert.deepEqual(await boxes(), before, 'layout shift after the chart has loaded');
      await row(idle).getByText('no calls').waitFor();
      const asked = requests.flatMap((request) => request.postDataJSON().hook_ids);
      assert.equal(asked.filter((id) => id === called.id).length, 1);
      assert.ok(asked.includes(idle.id));
    });
  });

  test('loads more of a long list at its end, and finds webhooks that are not loaded yet', async () => {
    const samples = { incoming: scene.hook, outgoing: await hookFor() };
    for (const [kind, sample] of Object.entries(samples))
      await visit(async (page) => {
        const hooks = Array.from({ length: 230 }, (_, n) => ({
          ...{ ...sample, id: `${n}`.padStart(26, 'h'), display_name: `webhook no. ${n}` },
        }));
        await page.route(`**/api/v4/hooks/${kind}?*`, (route) => {
          const number = Number(new URL(route.request().url()).searchParams.get('page'));
          return route.fulfill({ json: hooks.slice(200 * number, 200 * (number + 1)) });
        });
        const rows = page.locator('tbody tr');
        const rowsAre = (count) => eventually(`${count} rows`, async () => (await rows.count()) === count);
        await go(page, `/${kind}`);
        await page.reload(); // Home has loaded the list without them
        await rowsAre(100);
        for (const count of [200, 230]) {
          await rows.last().scrollIntoViewIfNeeded();
          await rowsAre(count);
        }
        await page.reload();
        await page.getByRole('searchbox').fill('no. 229');
        await page.getByRole('link', { name: 'webhook no. 229' }).waitFor();
        await rowsAre(1);
      });
  });
});

describe('the console: outgoing webhooks', () => {
  const { scene, receiver, visit, buildMember, hookFor, say } = useConsole();

  test('replaces a secret, shows how long the old one is valid, and offers code that accepts both', () =>
    visit(async (page) => {
      const hook = await hookFor({ content_type: 'application/json' });
      await go(page, `/outgoing/${hook.id}?tab=secret`);
      await button(page, 'Replace').click();
      const dialog = page.getByRole('dialog');
      await exactButton(dialog, 'Replace').click();
      await dialog.getByText(/The old signing secret still signs for \d+ .*, until /).waitFor();
      await button(dialog, 'Copy the new signing secret').click();
      const secret = await copied(page);
      assert.equal(secret, (await scene.admin.getOutgoingWebhook(hook.id)).signing_secret);
      assert.notEqual(secret, hook.signing_secret);
      await button(dialog, 'Done').click();
      await page.locator('dd', { hasText: /^for \d+ .*, until / }).waitFor();

      const checks = new Map();
      for (const language of runnable()) {
        await page.getByText(language, { exact: true }).click();
        await button(page, 'Copy the check').click();
        checks.set(language, await copied(page));
      }
      assert.ok(checks.has('Node.js') && checks.has('Python'), [...checks.keys()].join());
      receiver.received.length = 0;
      await say(`${hook.trigger_words[0]} “größer” 🚀`);
      const { body, headers } = await eventually('the call', () => receiver.received[0]);
      const signed = Object.fromEntries(
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, headers[name]]),
      );
      const signature = signed['webhook-signature'];
      const old = new Date(Date.now() - 600_000);
      const replayed = {
        'webhook-id': signed['webhook-id'],
        'webhook-timestamp': String(Math.floor(old / 1000)),
        'webhook-signature': new Webhook(secret).sign(signed['webhook-id'], old, body),
      };
      const inCapitals = Object.fromEntries(
        Object.entries(signed).map(([name, value]) => [name.toUpperCase(), value]),
      );
      const call = { body, headers: signed, secret };
      const withSignature = (text) => ({ ...call, headers: { ...signed, 'webhook-signature': text } });
      const calls = [
        [true, call],
        [true, { ...call, secret: hook.signing_secret }],
        [true, { ...call, headers: inCapitals }],
        [true, withSignature(`v1,é€ ${signature}`)],
        [false, withSignature('v1,é€')],
        [false, withSignature('')],
        [false, { ...call, secret: `whsec_${Buffer.alloc(24).toString('base64')}` }],
        [false, { ...call, body: body.replace('{', '{ ') }],
        [false, { ...call, headers: replayed }],
        [false, { ...call, headers: { ...signed, 'webhook-timestamp': 'now' } }],
        [false, { ...call, headers: {} }],
      ];
      const [expected, given] = [0, 1].map((at) => calls.map((one) => one[at]));
      for (const [language, check] of checks)
        assert.deepEqual(await verdictsOf(language, check, given), expected, language);

      // The end of the overlap, which is a day away.
      const record = await scene.admin.getOutgoingWebhook(hook.id);
      await page.route(`**/hooks/outgoing/${hook.id}`, (route) =>
        route.fulfill({ json: { ...record, previous_secret_until: Date.now() + 4_000 } }),
      );
      await page.reload();
      await page.getByText(/^for \d seconds?$/).waitFor();
      await page.getByText('no longer', { exact: true }).waitFor();
    }));

  test('warns about a URL that is not called, and hides a request that was not sent', () =>
    visit(async (page) => {
      const name = unique('internal');
      const dialog = await openForm(page, { name, word: unique('word'), url: 'http://10.0.0.5/' });
      await exactButton(dialog, 'Add').click();
      await heading(page, name).waitFor();
      const warning = page.getByText(
        '10.0.0.5 will not be called; ALLOWED_INTERNAL_HOSTS does not contain it.',
      );
      await warning.waitFor();
      await page.getByRole('tab', { name: 'Test' }).click();
      await button(page, 'Send test').click();
      await page.getByRole('heading', { name: 'Not sent' }).waitFor();
      await page.getByText(/an internal address that ALLOWED_INTERNAL_HOSTS does not contain/).waitFor();
      assert.equal(await page.getByRole('heading', { name: 'Request', exact: true }).count(), 0);
      await button(page, 'Edit').click();
      await fillIn(dialog, { [URLS]: receiver.url }, 'Save');
      await gone(warning);
    }));

  test('creates a webhook for another user, with a name and a picture for responses, once however often it is sent', async () => {
    const { user } = await buildMember();
    await visit(async (page) => {
      const name = unique('made');
      const dialog = await openForm(page, { name, word: unique('word'), url: receiver.url });
      await dialog.getByText('More', { exact: true }).click();
      await fillIn(dialog, { 'Replies are shown as': 'answerer', Picture: 'https://example.com/bot.png' });
      const owner = dialog.getByRole('combobox', { name: 'Owner' });
      await owner.fill(user.username);
      await page.getByRole('option', { name: user.username, exact: true }).click();
      const isPost = (request) => request.method() === 'POST';
      const { requests, release } = await hold(page, '**/api/v4/hooks/outgoing', isPost);
      const add = exactButton(dialog, 'Add');
      await add.evaluate((button) => {
        button.click();
        button.click();
      });
      await eventually('a disabled button', () => add.isDisabled());
      await dialog.getByLabel('Name', { exact: true }).press('Enter');
      await dialog.locator('form').evaluate((form) => form.requestSubmit());
      release();
      await heading(page, name).waitFor();
      assert.equal(requests.length, 1);
      const hooks = await scene.admin.getOutgoingWebhooks('', scene.team.id);
      const [made, ...others] = hooks.filter((hook) => hook.display_name === name);
      assert.deepEqual([made.creator_id, made.channel_id, others], [user.id, '', []]);
      assert.deepEqual([made.username, made.icon_url], ['answerer', 'https://example.com/bot.png']);
      await button(page, 'Edit').click();
      await dialog.getByLabel('Replies are shown as').waitFor();
      assert.equal(await dialog.getByLabel('Owner').count(), 0);
    });
  });

  test('shows the state of each URL of a webhook, in its list and on its page', () =>
    visit(async (page) => {
      const hook = await hookFor({ callback_urls: [receiver.url, 'http://127.0.0.1:9/closed'] });
      receiver.status = 410;
      await say(hook.trigger_words[0]);
      await eventually('both to fail', async () => {
        const now = await scene.admin.getOutgoingWebhook(hook.id);
        return now.disabled_urls.length === 1 && now.failing_urls.length === 1;
      });
      receiver.status = 200;
      await go(page, '/outgoing');
      const row = rowOf(page, hook.display_name);
      const [first, second] = [row.locator('[title]').nth(0), row.locator('[title]').nth(1)];
      await first.getByText('disabled').waitFor();
      assert.equal(await first.getAttribute('title'), receiver.url);
      await second.getByText('failing').waitFor();
      await row.getByRole('link').click();
      await page.getByRole('definition').getByText('Disabled', { exact: true }).waitFor();
    }));

  test('reports that recoveries cannot be loaded, and the request id of a failed dry run', () =>
    visit(async (page) => {
      const hook = await hookFor();
      const json = { id: 'x', message: 'Out of order.', request_id: 'req1234', status_code: 409 };
      for (const address of ['**/recover', '**/dry_run', '**/explain?*'])
        await page.route(address, (route) => route.fulfill({ status: 409, json }));
      await go(page, `/outgoing/${hook.id}?tab=deliveries`);
      const fault = page.getByRole('alert').filter({ hasText: 'Out of order. Request req1234' });
      await fault.waitFor();
      await page.getByRole('tab', { name: 'Test' }).click();
      await page.getByRole('region', { name: 'Test triggers' }).getByLabel('Message').fill('something');
      await fault.nth(1).waitFor(); // of the message, and of the words
      await button(page, 'Edit').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('alert').filter({ hasText: 'req1234' }).waitFor();
    }));
});

describe('the console: calls of senders', () => {
  const { scene, visit, api, incomingHookFor } = useConsole();
  const ISSUE = JSON.stringify({
    action: 'opened',
    issue: { number: 7, title: 'It is slow', html_url: 'https://github.com/demo/web/issues/7' },
    repository: { full_name: 'demo/web', html_url: 'https://github.com/demo/web' },
    sender: { login: 'ann' },
  });
  const factOf = (page, title) => page.locator(`dt:text-is("${title}") + dd`);
  const preview = (page) => page.locator('.preview');
  const call = (id, body, headers) => fetch(`${serverUrl}/hooks/${id}`, { method: 'POST', body, headers });
  /** Calls the webhook as GitHub does, and returns the status. */
  const callSigned = async (id, secret) => {
    const signature = createHmac('sha256', secret).update(ISSUE).digest('hex');
    const headers = { 'X-GitHub-Event': 'issues', 'X-Hub-Signature-256': `sha256=${signature}` };
    return (await call(id, ISSUE, { 'Content-Type': 'application/json', ...headers })).status;
  };
  const idOf = (page) => /incoming\/(\w{26})/.exec(page.url())[1];

  test('creates a webhook for GitHub, which posts only signed calls, and replaces its secret', () =>
    visit(async (page) => {
      const name = unique('github');
      await open(page, 'Incoming');
      await button(page, 'Add a webhook').click();
      const dialog = page.getByRole('dialog');
      const verify = page.getByRole('combobox', { name: 'Verify calls' });
      await exactButton(dialog, 'GitHub').click();
      assert.equal(await dialog.getByLabel('Name').inputValue(), 'GitHub');
      await dialog.getByLabel('Name').fill(name);
      await choose(dialog.getByRole('combobox', { name: 'Channel' }), scene.channel.display_name);
      await dialog.getByText('The URL alone is not enough to post').waitFor();
      await choose(verify, 'No');
      await dialog.getByText('Anyone who knows the URL can post.').waitFor();
      await choose(verify, 'GitHub');
      const secret = page.getByLabel('Secret', { exact: true });
      assert.match(await secret.inputValue(), /^[A-Z2-7]{32}$/);
      await secret.fill('');
      await exactButton(dialog, 'Create webhook').click();
      await fieldOf(page, secret).getByText('Secret is required.').waitFor();
      await button(dialog, 'Generate a secret').click();
      const first = await secret.inputValue();
      assert.match(first, /^[A-Z2-7]{32}$/);
      await dialog.getByText('More', { exact: true }).click();
      await button(dialog, 'Generate a Slack path').click();
      await fillIn(dialog, { Expires: '2001-01-01T00:00:00', 'Calls per minute': '500' });
      await dialog.getByText('More', { exact: true }).click(); // the fault opens it again
      await exactButton(dialog, 'Create webhook').click();
      const expires = page.getByLabel('Expires');
      await fieldOf(page, expires).getByText('it must be 0 or a time in the future').waitFor();
      assert.ok(await hasFocus(expires));
      await fillIn(dialog, { Expires: '2099-01-01T00:00:00' }, 'Create webhook');

      await dialog.getByText('Repository → Settings → Webhooks → Add webhook').waitFor();
      await dialog.getByText('Waiting for the first call…').waitFor();
      await button(dialog, 'Copy the secret').click();
      assert.equal(await copied(page), first);
      await button(dialog, 'Open the webhook').click();
      await heading(page, name).waitFor();
      const id = idOf(page);
      const tab = (title) => page.getByRole('tab', { name: title }).click();
      await factOf(page, 'Verification')
        .getByText('a signature of GitHub in the header X-Hub-Signature-256')
        .waitFor();
      await factOf(page, 'Format').getByText('GitHub').waitFor();
      await factOf(page, 'Limit').getByText('500 calls per minute').waitFor();
      await factOf(page, 'Expires').getByText(/2099/).first().waitFor();
      await button(page, 'Copy the Slack URL').click();
      assert.match(await copied(page), /\/services\/T[A-Z2-7]{10}\/B[A-Z2-7]{10}\/[A-Z2-7]{32}$/);
      await tab('Test');
      await preview(page).getByText('ann opened issue').waitFor();
      assert.equal(await button(page, 'Send test').count(), 0);

      await tab('Overview');
      await page.getByText('Waiting for the first call…').waitFor();
      assert.equal((await call(id, ISSUE, { 'X-GitHub-Event': 'issues' })).status, 401);
      await page.getByText(/^A call was refused/).waitFor();
      assert.equal(await callSigned(id, first), 200);
      await page.getByText(/^The first call arrived/).waitFor();
      const posts = await postsIn(scene.admin, scene.channel.id);
      assert.ok(posts.some(({ message }) => message.includes('7 It is slow')));

      await tab('Security');
      const replace = async (next, isOldKept) => {
        await exactButton(page, 'Replace the secret').click();
        await dialog.getByLabel('Secret', { exact: true }).fill(next);
        await dialog.getByLabel('Accept the old one too').setChecked(isOldKept);
        await confirm(page, 'Replace');
      };
      await replace('the second secret', true);
      await page.getByText(/The old secret is still valid for \d+ .*, until /).waitFor();
      for (const valid of [first, 'the second secret']) assert.equal(await callSigned(id, valid), 200);
      await replace('the third secret', false);
      await gone(page.getByText(/The old secret is still valid/));
      assert.equal(await callSigned(id, 'the second secret'), 401);
      assert.equal(await callSigned(id, 'the third secret'), 200);

      // A save changes neither the secret nor what is not in the form.
      await tab('Settings');
      await page.getByLabel('Description').fill('Not saved.');
      await tab('Security');
      await button(page.getByRole('dialog'), 'Keep editing').click();
      await fillIn(page, { Description: 'Of the web team.' }, 'Save');
      await page.locator('.page-head').getByText('Of the web team.').waitFor();
      assert.equal(await callSigned(id, 'the third secret'), 200);
      await tab('Security');
      await choose(verify, 'Secret token');
      const header = page.getByLabel('Header', { exact: true });
      await header.fill('X-GitHub-Event');
      await page.getByLabel('Prefix').fill('');
      await page.getByLabel('Secret', { exact: true }).fill('a token');
      await exactButton(page, 'Save').click();
      await fieldOf(page, header).getByText('kept calls show this header').waitFor();
      await header.fill('X-Token');
      await exactButton(page, 'Save').click();
      await page.getByText('Calls are verified. They need a token in the header X-Token').waitFor();
      const headers = {
        'X-Token': 'a token',
        'X-GitHub-Event': 'issues',
        'Content-Type': 'application/json',
      };
      assert.equal((await call(id, ISSUE, headers)).status, 200);
      await choose(verify, 'No');
      await exactButton(page, 'Save').click();
      await gone(page.getByText('Calls are verified.'));
      assert.equal((await api(`/hooks/incoming/${id}`)).verifier, null);
    }));

  test('previews an unsaved template on a kept call, shows the line of an error, and saves it', async () => {
    const hook = await incomingHookFor({
      format: 'template',
      template: '{{ body.job }}',
      keep_requests: true,
    });
    const job = unique('job');
    const json = { 'Content-Type': 'application/json' };
    assert.equal((await call(hook.id, JSON.stringify({ job, minutes: 4 }), json)).status, 200);
    await eventually(
      'the kept call',
      async () => (await api(`/hooks/incoming/${hook.id}/requests`)).length === 1,
    );
    await visit(async (page) => {
      await go(page, `/incoming/${hook.id}?tab=test`);
      await preview(page).getByText('web', { exact: true }).waitFor();
      const sample = page.getByRole('combobox', { name: 'Sample' });
      await choose(sample, /^200, /);
      await preview(page).getByText(job, { exact: true }).waitFor();

      const template = page.getByLabel(/^Template/);
      await template.fill('{{ body.job }}\n{{ body.minutes | nope }}');
      await preview(page).getByText('undefined filter: nope, line:2').waitFor();
      await page.locator('mark').getByText('{{ body.minutes | nope }}').waitFor();
      await button(page, 'Save the format').click();
      await page.getByRole('alert').getByText('undefined filter: nope, line:2').waitFor();
      await template.fill('{{ body.job }} took {{ body.minutes }} minutes');
      await preview(page).getByText(`${job} took 4 minutes`).waitFor();
      assert.equal((await api(`/hooks/incoming/${hook.id}`)).template, '{{ body.job }}');
      await template.fill('{% if body.urgent %}!{% endif %}');
      await preview(page).getByText('It posts nothing: the output of the template is empty.').waitFor();
      await page.reload();
      await preview(page).getByText('It posts nothing').waitFor();
      await template.fill('{{ body.job }} is done');
      await button(page, 'Save the format').click();
      await gone(button(page, 'Save the format'));
      assert.equal((await api(`/hooks/incoming/${hook.id}`)).template, '{{ body.job }} is done');
      await page.getByLabel('Payload').fill('{"job": "typed"}');
      await preview(page).getByText('typed is done').waitFor();
      await button(page, 'Send test').click();
      await page.getByText('Sent. The message is in the channel.').waitFor();
    });
  });

  test('rotates the URL, follows to the new one, and shows the use of the previous ones', async () => {
    const hook = await incomingHookFor();
    const post = async (id) => (await call(id, '{"text":"Rotated."}', {})).status;
    await visit(async (page) => {
      await go(page, `/incoming/${hook.id}?tab=security`);
      await page.getByText('No previous URL works.').waitFor();
      const rotate = async (overlap) => {
        const before = idOf(page);
        await button(page, 'Rotate the URL').click();
        const dialog = page.getByRole('dialog');
        await choose(dialog.getByLabel('The old URL works'), overlap);
        await confirm(page, 'Rotate');
        await page.waitForURL((url) => !url.hash.includes(before));
        await button(page, 'Copy the URL').click();
        assert.equal(await copied(page), `${serverUrl}/hooks/${idOf(page)}`);
        return idOf(page);
      };
      const second = await rotate('for a week');
      const row = rowOf(page, `…${hook.id.slice(-4)}`);
      await row.getByText(/^in [67] d$/).waitFor();
      await row.getByText('never').waitFor();
      for (const id of [hook.id, second]) assert.equal(await post(id), 200);
      await row.getByRole('cell', { name: '1', exact: true }).waitFor();
      await open(page, 'Incoming');
      await rowOf(page, hook.display_name).getByRole('link', { name: hook.display_name }).click();
      await heading(page, hook.display_name).waitFor();
      assert.equal(idOf(page), second);
      await page.getByRole('tab', { name: 'Security' }).click();
      const third = await rotate('no longer: it stops at once');
      await page.getByText('No previous URL works.').waitFor();
      for (const [id, status] of [
        [hook.id, 400],
        [second, 400],
        [third, 200],
      ])
        assert.equal(await post(id), status);
    });
  });

  test('previews a sample in each format', async () => {
    const hook = await incomingHookFor();
    await visit(async (page) => {
      await go(page, `/incoming/${hook.id}?tab=test`);
      const formats = page.getByRole('combobox', { name: 'Format' });
      await preview(page).locator('.post').waitFor();
      await formats.click();
      const names = await page.getByRole('option').allInnerTexts();
      await page.keyboard.press('Escape');
      assert.ok(names.length >= 10);
      for (const name of names.filter((one) => one !== 'A template').slice(1)) {
        const reply = page.waitForResponse((one) => one.url().endsWith('/preview'));
        await choose(formats, name);
        assert.equal((await (await reply).json()).post_count, 1, name);
      }
    });
  });
});

describe('the console: facts of webhooks', () => {
  const { scene, visit, hookFor, incomingHookFor } = useConsole();

  const fact = (page, name) =>
    page.locator('dl.facts > dt').filter({ hasText: name }).locator('xpath=following-sibling::dd[1]');
  test('the channel and the owner of an incoming webhook', async () => {
    const hook = await incomingHookFor({ description: 'Of the build server.', channel_locked: true });
    await visit(async (page) => {
      await go(page, `/incoming/${hook.id}`);
      await page.locator('.page-head').getByText('Waiting for the first call').waitFor();
      await fact(page, 'Posts to').getByText('Locked').waitFor();
      await fact(page, 'Owner').getByText('admin', { exact: true }).waitFor();
      await page.getByText('Of the build server.').waitFor();
      await fact(page, 'Posts to').getByRole('link', { name: scene.channel.display_name }).click();
      await heading(page, 'Channels').waitFor();
      const channels = page.getByRole('navigation', { name: 'Channels' });
      const chosen = channels.getByRole('link', { name: scene.channel.display_name });
      await eventually('the channel', async () => (await chosen.getAttribute('aria-current')) === 'page');
    });
  });

  test('the channel and the trigger of an outgoing webhook', async () => {
    const [one, everywhere] = [
      await hookFor({ trigger_when: 1, description: 'It deploys.' }),
      await hookFor({ channel_id: '' }),
    ];
    await visit(async (page) => {
      await go(page, `/outgoing/${one.id}`);
      await fact(page, 'Listens in').getByRole('link', { name: scene.channel.display_name }).waitFor();
      await fact(page, 'Triggers').getByText('At the start of the message').waitFor();
      await page.getByText('It deploys.').waitFor();
      await page.getByRole('tab', { name: 'Settings' }).click();
      await fact(page, 'Sent as').filter({ hasText: one.content_type }).waitFor();
      await go(page, `/outgoing/${everywhere.id}?tab=no-such-tab`);
      await fact(page, 'Listens in').getByText('all public channels').waitFor();
      await fact(page, 'Triggers').getByText('Anywhere in the message').waitFor();
      await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor();
      await page.getByRole('tab', { name: 'Deliveries' }).click();
      await page.getByRole('group', { name: 'Filters', exact: true }).waitFor();
    });
  });
});
