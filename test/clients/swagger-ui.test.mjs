/** Swagger UI at /api/docs, in Chromium. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromium } from 'playwright-core';
import { findProgram } from './support/machine-clients.mjs';
import { adminPassword, buildScene, postsIn, serverUrl } from './support/scene.mjs';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

describe('Swagger UI', () => {
  let browser;
  let page;
  /** The operations of each tag. */
  const tags = new Map();
  let scene;
  const problems = [];

  before(async () => {
    scene = await buildScene('swagger');
    browser = await chromium.launch({ executablePath: findProgram('chromium'), args: flags });
    page = await browser.newPage();
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    const description = await (await fetch(`${serverUrl}/api/v4/openapi.json`)).json();
    for (const operation of Object.values(description.paths).flatMap((path) => Object.values(path)))
      for (const tag of operation.tags) tags.set(tag, [...(tags.get(tag) ?? []), operation.operationId]);
    await page.goto(`${serverUrl}/api/docs`);
    await page.waitForSelector('.opblock-tag-section');
  });
  after(() => browser?.close());

  /** Opens an operation, sends it, and returns the response on the page. */
  async function tryOut(operationId, { parameters = {}, body } = {}) {
    const [tag] = [...tags].find(([, operationIds]) => operationIds.includes(operationId));
    await openOnly(tag);
    const block = page.locator(`[id$="-${operationId}"].opblock`);
    if (!(await block.getAttribute('class')).includes('is-open'))
      await block.locator('.opblock-summary').click();
    await block.locator('.execute').or(block.locator('.try-out__btn')).first().waitFor();
    const clear = block.locator('.btn-clear');
    if ((await block.locator('.execute').count()) === 0) await block.locator('.try-out__btn').click();
    else if ((await clear.count()) > 0) await clear.click(); // the previous response
    for (const [name, value] of Object.entries(parameters)) {
      await block
        .locator(`tr[data-param-name="${name}"] input, tr[data-param-name="${name}"] select`)
        .fill(value);
    }
    if (body !== undefined) await block.locator('.body-param__text').fill(body);
    await block.locator('.execute').click();
    const live = block.locator('.live-responses-table .response');
    await live.waitFor();
    return {
      status: Number(await live.locator('.response-col_status').first().innerText()),
      body: await live.locator('.highlight-code code, .microlight').first().innerText(),
      headers: await live.locator('.headerline').allInnerTexts(),
      example: async () => block.locator('.body-param__text').inputValue(),
    };
  }

  /** Shows the operations of one tag only, because the page draws only a part of very many. */
  async function openOnly(tag) {
    const open = page.locator('.opblock-tag-section.is-open .opblock-tag');
    while ((await open.count()) > 0) await open.first().click();
    await page.locator(`.opblock-tag[data-tag="${tag}"]`).click();
    await page.waitForSelector('.opblock');
  }

  test('shows every operation, grouped', async () => {
    for (const [tag, operationIds] of tags) {
      await openOnly(tag);
      for (const id of operationIds)
        assert.equal(await page.locator(`[id$="-${id}"].opblock`).count(), 1, id);
    }
    assert.ok([...tags.values()].flat().length > 100);
  });

  test('groups are ordered by importance, each with a description, and can be filtered', async () => {
    const shown = await page
      .locator('.opblock-tag')
      .evaluateAll((all) => all.map((tag) => tag.getAttribute('data-tag')));
    assert.equal(shown[0], 'incoming webhooks');
    assert.equal(shown.at(-1), 'between servers');
    assert.match(await page.locator('.opblock-tag').first().innerText(), /URLs to which programs post/);
    const filter = page.locator('.operation-filter-input');
    await filter.fill('create WEBHOOK');
    await page.waitForFunction(() => globalThis.document.querySelectorAll('.opblock-tag').length === 2);
    assert.deepEqual(await page.locator('.opblock-summary-path').allInnerTexts(), [
      '/api/v4/hooks/incoming',
      '/api/v4/hooks/outgoing',
    ]);
    await filter.fill('/recover');
    await page.getByText('List the recoveries with their progress').waitFor();
    await filter.fill('');
    await page.waitForFunction(() => globalThis.document.querySelectorAll('.opblock').length === 0);
  });

  test('an error response takes one line, and shows its own example', async () => {
    await openOnly('outgoing webhooks');
    const block = page.locator('[id$="-getOutgoingWebhook"].opblock');
    await block.locator('.opblock-summary').click();
    const missing = block.locator('tr.folded[data-code="404"]');
    assert.match(await missing.innerText(), /Not found\..*app\.webhooks\.get_outgoing\.app_error/s);
    await missing.locator('button').click();
    const opened = block.locator('tr.response[data-code="404"]:not(.folded)');
    assert.match(await opened.innerText(), /"message": "No such outgoing webhook\."/);
    await opened.locator('button').click();
    await missing.waitFor();
  });

  test('a wrong password is reported on the page', async () => {
    await page.locator('#sign-in [name=login_id]').fill('admin');
    await page.locator('#sign-in [name=password]').fill('not the password');
    await page.locator('#sign-in button').click();
    await page
      .getByText('Enter a valid email or username')
      .or(page.getByText(/password/i))
      .first()
      .waitFor();
  });

  test('sign in on the page, without copying a token', async () => {
    await page.locator('#sign-in [name=password]').fill(adminPassword);
    await page.locator('#sign-in button').click();
    await page.getByText('Signed in as admin.').waitFor();
    assert.equal((await tryOut('getOutgoingWebhooks')).status, 200);
  });

  test('the example of a new webhook works unchanged', async () => {
    const created = await tryOut('createIncomingWebhook');
    assert.equal(created.status, 201, created.body);
    const got = await tryOut('getTeam');
    assert.equal(got.status, 200, got.body);
  });

  test('a webhook posts with the unchanged example', async () => {
    const { status, body } = await tryOut('executeIncomingWebhook', { parameters: { id: scene.hook.id } });
    assert.equal(status, 200, body);
    assert.equal(body.trim(), 'ok');
    const posts = await postsIn(scene.admin, scene.channel.id);
    assert.ok(posts.some(({ message }) => message === 'Build 812 is green.'));
  });

  test('the examples use records created on the page', async () => {
    for (const operationId of [
      'createOutgoingWebhook',
      'createPost',
      'getDelivery',
      'testOutgoingWebhook',
      'createBot',
      'getBot',
      'createUserAccessToken',
      'getUserAccessToken',
      'createRemoteCluster',
      'getRemoteCluster',
      'patchUser',
      'getPostsByIds',
      'updatePost',
      'createUser',
    ]) {
      const { status, body } = await tryOut(operationId);
      assert.ok(status < 300, `${operationId}: ${status} ${body}`);
      await page.waitForLoadState('networkidle');
    }
  });

  test('fits a narrow window, and follows a dark colour scheme', async () => {
    await page.setViewportSize({ width: 400, height: 800 });
    await openOnly('incoming webhooks');
    const { scrollWidth } = await page.evaluate(() => ({
      scrollWidth: globalThis.document.documentElement.scrollWidth,
    }));
    assert.equal(scrollWidth, 400);
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html.dark-mode').waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('html:not(.dark-mode)').waitFor();
  });

  test('sign out on the page', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    assert.equal((await tryOut('getIncomingWebhooks')).status, 401);
  });

  test('a user who is signed in to the console calls operations without another login', async () => {
    const credentials = { login_id: 'admin', password: adminPassword };
    await page.evaluate(
      (body) =>
        fetch('/api/v4/users/login', {
          method: 'POST',
          headers: { 'X-Requested-With': 'XMLHttpRequest' }, // as the console does: the response sets cookies
          body: JSON.stringify(body),
        }),
      credentials,
    );
    await page.reload();
    await page.getByText('Signed in as admin, as in the console.').waitFor();
    assert.equal((await tryOut('getOutgoingWebhooks')).status, 200);
    const created = await tryOut('createIncomingWebhook', {
      body: JSON.stringify({ channel_id: scene.channel.id, display_name: 'Made with the session' }),
    });
    assert.equal(created.status, 201, created.body);
    await page.getByRole('button', { name: 'Sign in as another user' }).click();
    assert.equal((await tryOut('getIncomingWebhooks')).status, 401);
    await page.reload();
    await page.getByText('Signed in as admin, as in the console.').waitFor();
    await page.context().clearCookies();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    assert.deepEqual(await page.evaluate(() => [{ ...localStorage }, { ...sessionStorage }]), [{}, {}]);
  });

  test('the page logs no errors', () => {
    // The browser logs the 401 of the second test.
    assert.deepEqual(
      problems.filter((problem) => !problem.includes('401')),
      [],
    );
  });
});
