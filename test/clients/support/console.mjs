/** The console in Chromium, for the suites console*.test.mjs. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium } from 'playwright-core';
import { findProgram } from './machine-clients.mjs';
import { adminPassword, adminUsername, buildScene, serverUrl, unique } from './scene.mjs';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];
/** The folder for the screenshot and the Playwright trace of a failed test. */
const KEPT = path.join(import.meta.dirname, '..', '..', '..', '.cache', 'console-failures');

/** A script in every text that could be interpreted as markup. If one runs, the title of the page changes. */
export const HOSTILE =
  '<img src=x onerror="document.title=\'taken\'"><script>document.title="taken"</script>[x](javascript:document.title="taken")';

export const SCRIPT = 'javascript:document.title="taken"';
/** Attachments with the script in all visible fields. */
export const hostileAttachments = [
  {
    ...{ title: HOSTILE, title_link: SCRIPT, text: HOSTILE, color: HOSTILE },
    fields: [{ title: HOSTILE, value: HOSTILE, short: true }],
    ...{ author_name: HOSTILE, author_link: SCRIPT, image_url: SCRIPT, thumb_url: SCRIPT },
    ...{ footer: HOSTILE, ts: HOSTILE },
  },
  { fallback: HOSTILE, image_url: `https://host/${HOSTILE}` },
  { fallback: HOSTILE },
];

/** Fails if something on the page was interpreted as markup. */
export async function assertHarmless(page, place) {
  assert.notEqual(await page.title(), 'taken', place);
  const markup = page.locator('body :is(img, script), a[href^="javascript"]');
  assert.deepEqual(await markup.evaluateAll((found) => found.map((one) => one.outerHTML)), [], place);
}

/** A browser, a team and channel with an administrator, and a receiver that responds. */
export async function openConsole(name) {
  const browser = await chromium.launch({ executablePath: findProgram('chromium'), args: FLAGS });
  const scene = await buildScene(name);
  const receiver = await startReceiver();
  return {
    scene,
    receiver,
    /** An outgoing webhook of the scene's channel, which calls the receiver. */
    hookFor: (fields = {}) =>
      scene.admin.createOutgoingWebhook({
        team_id: scene.team.id,
        channel_id: scene.channel.id,
        display_name: unique('hook'),
        trigger_words: [unique('word')],
        callback_urls: [receiver.url],
        ...fields,
      }),
    say: (message) => scene.admin.createPost({ channel_id: scene.channel.id, message }),
    /**
     * A user at the console in a separate browser context; errors of a page fail the test. Without `isTraced` no
     * trace is recorded, because snapshots before and after each step are slow for many steps.
     */
    visit: (test, act, options) => visit(browser, scene, `${name}-${test}`, act, options),
    async close() {
      await browser.close();
      receiver.close();
    },
  };
}

/** Signs in on the login page. */
export async function signIn(page, username, password) {
  await page.getByLabel('Username or email').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}

/** Makes the next request to a URL fail with an ended session: by `end`, or by deleting the cookies of the browser. */
export const endSessionAt = (page, address, end = () => page.context().clearCookies()) =>
  page.route(
    address,
    async (route) => {
      await end();
      await route.continue();
    },
    { times: 1 },
  );

/** Opens a page by the page list. */
export async function open(page, title) {
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: title, exact: true })
    .click();
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
}

/** Checks a page without frames, because the second page for merging frames takes longer than the check. */
export const axeOn = (page) => new AxeBuilder({ page }).setLegacyMode();

/** The violations on a page that exclude users. */
export const seriousFaults = async (axe) => seriousIn(await axe.analyze());

/** The same below an element, by all or some rules, on a page that axe has checked: it is loaded only once. */
export const seriousFaultsBelow = async (page, selector, rules) =>
  seriousIn(
    await page.evaluate(
      ([below, options]) => globalThis.axe.run(below, { resultTypes: ['violations'], ...options }),
      [selector, rules && { runOnly: rules }],
    ),
  );

const seriousIn = ({ violations }) =>
  violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);

async function visit(
  browser,
  scene,
  name,
  act,
  {
    signsIn = true,
    username = adminUsername,
    password = adminPassword,
    url = serverUrl,
    isTraced = true,
    ...options
  } = {},
) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  if (isTraced) await context.tracing.start({ snapshots: true });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Uncaught/.test(message.text())) problems.push(message.text());
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) problems.push(`A request to ${request.url()}`);
  });
  try {
    await page.addInitScript(
      ([site, id]) => {
        if (globalThis.location.origin !== site) return; // a blank page has no storage
        localStorage.getItem('hookline.team') ?? localStorage.setItem('hookline.team', id);
      },
      [new URL(url).origin, scene.team.id], // among the teams of other suites
    );
    // Not by the form, which is slower and has separate tests.
    if (signsIn) await logIn(context, url, { login_id: username, password });
    await page.goto(url);
    if (signsIn) await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await act(page, context);
    assert.deepEqual(problems, []);
    assert.notEqual(await page.title(), 'taken');
  } catch (error) {
    mkdirSync(KEPT, { recursive: true });
    const file = (ending) => path.join(KEPT, `${name}.${ending}`);
    await page.screenshot({ path: file('png'), fullPage: true }).catch(() => undefined);
    if (isTraced) await context.tracing.stop({ path: file('zip') }).catch(() => undefined);
    throw error;
  } finally {
    await context.close();
  }
}

async function logIn(context, url, data) {
  const headers = { 'X-Requested-With': 'XMLHttpRequest' }; // a browser gets cookies
  const answer = await context.request.post(`${url}/api/v4/users/login`, { data, headers });
  assert.equal(answer.status(), 200, await answer.text());
}

/** A receiver that answers each call with a message, and records requests. */
async function startReceiver() {
  const received = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.statusCode = receiver.status;
      response.setHeader('Content-Type', 'application/json');
      for (const [name, value] of Object.entries(receiver.headers)) response.setHeader(name, value);
      response.end(JSON.stringify({ text: receiver.text }));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver = {
    /** Sets the response from now on. */
    ...{ status: 200, text: 'The program has answered.', headers: {} },
    received,
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => server.close(),
  };
  return receiver;
}
