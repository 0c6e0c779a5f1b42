/** The console in Chromium, for the suites console*.test.mjs. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { after, before, beforeEach } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium } from 'playwright-core';
import { findProgram } from './machine-clients.mjs';
import {
  adminPassword,
  adminUsername,
  buildScene,
  buildUser,
  eventually,
  serverUrl,
  unique,
  userPassword,
} from './scene.mjs';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];
/** The folder for the screenshot and the Playwright trace of a failed test. */
const KEPT = path.join(import.meta.dirname, '..', '..', '..', '.cache', 'console-failures');
export const PHONE = { viewport: { width: 390, height: 844 } };
/** The answer of a route that a test makes fail. */
export const REFUSAL = {
  status: 403,
  json: { id: 'test', message: 'Refused by the test.', status_code: 403 },
};

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

let browser;
let openSuites = 0;
let runningTest = '';

/**
 * Gives a suite a team and a channel of its own, and a receiver that responds to webhooks: `scene` and `receiver` are
 * filled before the first test. The suites of a file share one browser.
 */
export function useConsole() {
  openSuites += 1;
  const scene = {};
  /** The response from now on, and the requests. */
  const receiver = { status: 200, text: 'The program has answered.', headers: {}, received: [] };
  let server;
  before(async () => {
    browser ??= await chromium.launch({ executablePath: findProgram('chromium'), args: FLAGS });
    server = await startReceiver(receiver);
    Object.assign(scene, await buildScene('console'));
  });
  beforeEach((test) => (runningTest = test.fullName));
  after(async () => {
    server?.close();
    openSuites -= 1;
    if (openSuites > 0) return;
    await browser?.close();
    browser = undefined;
  });
  const visit = (act, options) => visitConsole(scene, act, options);
  return { scene, receiver, visit, ...actionsIn(scene, receiver) };
}

/** What suites do at the server itself. */
function actionsIn(scene, receiver) {
  /** A call of the API by the administrator. */
  const api = async (place, { method = 'GET', body } = {}) => {
    const headers = { authorization: `Bearer ${scene.admin.getToken()}` };
    const init = { method, headers, body: body && JSON.stringify(body) };
    return (await fetch(`${serverUrl}/api/v4${place}`, init)).json();
  };
  const deliveriesOf = async ({ id }, status = '') =>
    (await api(`/hooks/outgoing/${id}/deliveries?status=${status}`)).deliveries;
  const say = (message, fields) =>
    scene.admin.createPost({ channel_id: scene.channel.id, message, ...fields });
  /** Waits until a webhook has this number of deliveries with a status. */
  const settled = (hook, count, status = 'delivered') =>
    eventually(`${count} deliveries`, async () => {
      const found = await deliveriesOf(hook, status);
      return found.length === count && found;
    });
  return {
    ...{ api, deliveriesOf, say, settled },
    /** An outgoing webhook of the channel, which calls the receiver. */
    hookFor: (fields) =>
      scene.admin.createOutgoingWebhook({
        ...{ team_id: scene.team.id, channel_id: scene.channel.id, display_name: unique('hook') },
        ...{ trigger_words: [unique('word')], callback_urls: [receiver.url], ...fields },
      }),
    incomingHookFor: (fields) =>
      scene.admin.createIncomingWebhook({
        ...{ channel_id: scene.channel.id, display_name: unique('hook'), description: '', ...fields },
      }),
    /** Calls the receiver once, with this answer, and waits for the outcome. */
    async callWith(hook, answer, count = 1) {
      Object.assign(receiver, answer);
      await say(hook.trigger_words[0]);
      const found = await settled(hook, count, receiver.status === 200 ? 'delivered' : 'failed');
      Object.assign(receiver, { status: 200 });
      return found[0];
    },
    /** A member of the team and the channel, with what `visit` needs. */
    async buildMember({ isTeamAdmin = false, isAdmin = false } = {}) {
      const { user, client } = await buildUser(scene.admin, 'member');
      await scene.admin.addToTeam(scene.team.id, user.id);
      await scene.admin.addToChannel(user.id, scene.channel.id);
      if (isTeamAdmin) await scene.admin.updateTeamMemberSchemeRoles(scene.team.id, user.id, true, true);
      if (isAdmin) await scene.admin.updateUserRoles(user.id, 'system_user system_admin');
      return { user, client, login: { username: user.username, password: userPassword } };
    },
  };
}

export const go = (page, place) => page.goto(`${serverUrl}/#${place}`);
/** A button by a part of its name. */
export const button = (where, name) => where.getByRole('button', { name });
/** A button by its whole name. */
export const exactButton = (where, name) => where.getByRole('button', { name, exact: true });
export const definition = (page, text) => page.getByRole('definition').filter({ hasText: text });
export const rowOf = (where, text) => where.getByRole('row').filter({ hasText: text });
/** The field of a control, with its hint and its error. */
export const fieldOf = (where, control) => where.locator('[data-field]').filter({ has: control });
export const heading = (page, name) => page.getByRole('heading', { level: 1, name });
export const copied = (page) => page.evaluate(() => navigator.clipboard.readText());
export const hasFocus = (control) => control.evaluate((one) => one.matches(':focus'));

/** Waits until this is not on the page any more. */
export const gone = (control) => control.waitFor({ state: 'detached' });

/** Presses a button, and then the one of the same name in the dialog that asks for confirmation. */
export async function pressAndConfirm(where, name) {
  await exactButton(where, name).click();
  const page = where.page?.() ?? where;
  await exactButton(page.getByRole('dialog'), name).click();
}

/** Presses the button of this name in a dialog, and waits for the end of the dialog. */
export async function confirm(page, name) {
  await exactButton(page.getByRole('dialog'), name).click();
  await gone(page.getByRole('dialog'));
}

/** Fills in fields by their labels, and presses the button of this name, if any. */
export async function fillIn(where, fields, submit) {
  for (const [label, value] of Object.entries(fields)) await where.getByLabel(label).fill(value);
  if (submit) await exactButton(where, submit).click();
}

/** Chooses an option of a select by its label. */
export async function choose(control, label) {
  await control.click();
  await control.page().getByRole('option', { name: label, exact: true }).click();
}

/** Holds the responses to some requests until they are released. */
export async function hold(page, pattern, isHeld = () => true) {
  const requests = [];
  let release;
  const isReleased = new Promise((resolve) => (release = resolve));
  await page.route(pattern, async (route) => {
    if (!isHeld(route.request())) return route.continue();
    requests.push(route.request());
    await isReleased;
    return route.continue().catch(() => undefined); // the page may have aborted it
  });
  return { requests, release };
}

/** Signs in on the login page. */
export async function signIn(page, username, password) {
  await page.getByLabel('Username or email').fill(username);
  await page.getByLabel('Password').fill(password);
  await button(page, 'Sign in').click();
  await page.getByRole('banner').waitFor();
}

/** Chooses an entry of the account menu. */
export async function chooseInAccountMenu(page, name) {
  await button(page, 'Account menu').click();
  await page.getByRole('menuitem', { name }).click();
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

/** Opens a page by the page list. Its own title may be longer. */
export async function open(page, title, ownTitle = title) {
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await pages.getByRole('link', { name: title, exact: true }).click();
  await heading(page, ownTitle).waitFor();
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

/**
 * A user at the console in a separate browser context; errors of a page fail the test. Without `isTraced` no trace is
 * recorded, because snapshots before and after each step are slow for many steps.
 */
async function visitConsole(scene, act, options = {}) {
  const { signsIn = true, isTraced = true, url = serverUrl, username, password, ...others } = options;
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce', // no transition of colours while a page is checked
    ...others,
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  if (isTraced) await context.tracing.start({ snapshots: true });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const problems = [];
  const logged = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Uncaught/.test(message.text())) problems.push(message.text());
    if (message.type() === 'error') logged.push(`${message.text()} ${message.location().url}`);
  });
  const { origin } = new URL(url);
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) problems.push(`A request to ${request.url()}`);
  });
  try {
    await page.addInitScript(
      ([site, id]) => {
        if (globalThis.location.origin !== site) return; // a blank page has no storage
        localStorage.getItem('hookline.team') ?? localStorage.setItem('hookline.team', id);
      },
      [origin, scene.team.id], // among the teams of other suites
    );
    const login = { login_id: username ?? adminUsername, password: password ?? adminPassword };
    // Not by the form, which is slower and has separate tests.
    if (signsIn) await logIn(context, url, login);
    await page.goto(url);
    if (signsIn) await page.getByRole('banner').waitFor();
    await act(page, context, { logged });
    assert.deepEqual(problems, []);
    assert.notEqual(await page.title(), 'taken');
  } catch (error) {
    mkdirSync(KEPT, { recursive: true });
    const name = runningTest.replace(/\W+/g, '-').slice(0, 100);
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

/** Answers each call with a message, and records the requests. */
async function startReceiver(receiver) {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      receiver.received.push({ headers: request.headers, body });
      const headers = { 'Content-Type': 'application/json', ...receiver.headers };
      response.writeHead(receiver.status, headers).end(JSON.stringify({ text: receiver.text }));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${server.address().port}/`;
  return server;
}
