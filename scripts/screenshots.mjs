/**
 * Pictures of the console, taken in Chromium from two servers with example data.
 *
 *   npm run docs:images                                   those of docs/images
 *   npm run docs:images -- --folder=shots                 every page, in three widths and both themes, into a folder
 *   npm run docs:images -- --folder=shots --only=connect,people  only pages whose names contain these
 */
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findProgram, installMachineClients } from '../test/clients/support/machine-clients.mjs';
import { startRunningServer } from '../test/clients/support/running-server.mjs';
import { exitBecauseOf, prepare, root } from './prepare.mjs';

const { values: options } = parseArgs({
  options: { folder: { type: 'string' }, only: { type: 'string', default: '' } },
});

const pressed = (name) => async (page) => {
  await page.getByRole('button', { name, exact: true }).first().click();
  await page.getByRole('dialog').waitFor();
};

/** Each page and its most important states: the path after `#`, and the actions before the picture. */
const pages = {
  'sign-in': { isSignedOut: true, at: () => '/' },
  overview: { at: () => '/' },
  channels: { at: ({ builds }) => `/channels?channel=${builds.id}` },
  incoming: { at: () => '/incoming' },
  'incoming-add': { at: () => '/incoming', act: pressed('Add a webhook') },
  'incoming-hook': { at: ({ incoming }) => `/incoming/${incoming.id}` },
  'incoming-test': { at: ({ incoming }) => `/incoming/${incoming.id}?tab=test` },
  'incoming-calls': { at: ({ incoming }) => `/incoming/${incoming.id}?tab=calls` },
  outgoing: { at: () => '/outgoing' },
  'outgoing-add': { at: () => '/outgoing', act: pressed('Add a webhook') },
  'outgoing-hook': { at: ({ outgoing }) => `/outgoing/${outgoing.id}` },
  'outgoing-test': { at: ({ outgoing }) => `/outgoing/${outgoing.id}?tab=test` },
  'outgoing-secret': { at: ({ outgoing }) => `/outgoing/${outgoing.id}?tab=secret` },
  deliveries: { at: () => '/deliveries' },
  delivery: {
    at: ({ failed }) => `/deliveries?status=failed&delivery=${failed.id}&of=${failed.hook_id}`,
    act: (page) => page.getByRole('dialog').getByText('500').first().waitFor(),
  },
  endpoints: { at: () => '/endpoints' },
  endpoint: {
    at: ({ origin }) => `/endpoints/details?endpoint=${encodeURIComponent(JSON.stringify(origin))}`,
  },
  connections: { at: () => '/connections' },
  'connections-invite': { at: () => '/connections?open=invite' },
  'connections-hand-over': {
    at: () => '/connections?open=invite',
    act: async (page) => {
      await page.getByLabel('Name').fill('Acme Lyon');
      await page.getByRole('button', { name: 'Create an invite' }).click();
      await page.getByText('Anyone who has both').waitFor();
    },
  },
  'connections-accept': { at: () => '/connections?open=accept' },
  connection: {
    at: ({ berlin }) => `/connections/${berlin.remote_id}`,
    act: async (page) => {
      await page.getByRole('button', { name: 'Check now' }).click();
      await page.getByText('Clocks in sync').waitFor();
    },
  },
  'connection-invited': { at: ({ partner }) => `/connections/${partner.remote_id}` },
  people: { at: () => '/people' },
  bots: { at: () => '/people?tab=bots' },
  tokens: { at: () => '/people?tab=tokens' },
  person: { at: ({ person }) => `/people/${person.id}` },
  account: { at: () => '/account' },
  teams: { at: () => '/teams' },
  team: { at: ({ team }) => `/teams/${team.id}` },
  'team-members': { at: ({ team }) => `/teams/${team.id}?tab=members` },
  audit: { at: () => '/audit' },
  system: { at: () => '/system' },
  'system-settings': { at: () => '/system?tab=settings' },
  palette: { at: () => '/', act: (page) => openPalette(page, '') },
  'palette-found': { at: () => '/', act: (page) => openPalette(page, 'de') },
  nowhere: { at: () => '/nowhere' },
};

/** The pictures of the documentation. */
const pictures = [
  { name: 'home', page: 'overview' },
  { name: 'home-dark', page: 'overview', colorScheme: 'dark' },
  ...['channels', 'incoming-test', 'delivery', 'connections'].map((name) => ({ name, page: name })),
  { name: 'outgoing', page: 'outgoing-hook' },
].map((picture) => ({ width: 1280, height: 800, ...picture }));

/** All pages, for a look at each of them. */
const shots = Object.keys(pages)
  .filter((name) => options.only.split(',').some((part) => name.includes(part)))
  .flatMap((page) =>
    [1440, 1280, 390].flatMap((width) =>
      ['light', 'dark'].map((colorScheme) => ({
        ...{ name: `${page}-${width}-${colorScheme}`, page, colorScheme },
        ...{ width, height: width < 500 ? 844 : 900, fullPage: true },
      })),
    ),
  );

const openPalette = async (page, text) => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Go to' }).fill(text);
  await page.getByRole('status').filter({ hasText: 'Searching' }).waitFor({ state: 'detached' });
};

try {
  await prepare();
  for (const refusal of await installMachineClients(console.log)) throw new Error(refusal);
  await takePictures();
} catch (error) {
  exitBecauseOf(error);
}

async function takePictures() {
  const [server, peer, receiver] = [
    await startRunningServer(),
    await startRunningServer(),
    await startReceiver(),
  ];
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath: findProgram('chromium'),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    process.env.HOOKLINE_URL = server.url;
    process.env.HOOKLINE_ADMIN_PASSWORD = server.adminPassword;
    const scene = await buildScene(peer, receiver);
    const page = await openConsole(browser, server, scene);
    const folder = path.resolve(options.folder ?? path.join(root, 'docs', 'images'));
    mkdirSync(folder, { recursive: true });
    for (const picture of options.folder === undefined ? pictures : shots) {
      const { isSignedOut } = pages[picture.page];
      const signedOut = isSignedOut && (await browser.newPage());
      await takePicture(signedOut || page, server, scene, picture, path.join(folder, `${picture.name}.png`));
      if (signedOut) await signedOut.close();
      console.log(`${picture.name}.png`);
    }
  } finally {
    await browser.close();
    receiver.close();
    await Promise.all([server.stop(), peer.stop()]);
  }
}

async function openConsole(browser, server, scene) {
  const { signIn } = await import('../test/clients/support/console.mjs');
  const page = await browser.newPage();
  await page.goto(server.url);
  await page.evaluate((id) => localStorage.setItem('hookline.team', id), scene.team.id);
  await signIn(page, 'admin', server.adminPassword);
  return page;
}

async function takePicture(
  page,
  server,
  scene,
  { page: name, width, height, fullPage = false, ...look },
  file,
) {
  const { at, act } = pages[name];
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: look.colorScheme ?? 'light', reducedMotion: 'reduce' });
  await page.goto(`${server.url}/#${at(scene)}`);
  await page.reload(); // nothing of the previous page is left
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('.loading').first().waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
  try {
    await act?.(page);
    await page.mouse.move(0, 0);
  } catch (error) {
    if (options.folder === undefined) throw error;
    console.warn(`${name}: ${error.message}`); // the others are taken all the same
  }
  await page.screenshot({ path: file, fullPage });
}

/** A team with example data: incoming calls, outgoing calls, failures, and a second server. */
async function buildScene(peer, receiver) {
  const { eventually, signIn } = await import('../test/clients/support/scene.mjs');
  const admin = await signIn();
  const team = await admin.createTeam({ name: 'acme', display_name: 'Acme', type: 'O' });
  const channel = (name, title) =>
    admin.createChannel({ team_id: team.id, name, display_name: title, type: 'O' });
  const [builds, deployments] = [
    await channel('builds', 'Builds'),
    await channel('deployments', 'Deployments'),
  ];
  const incoming = await admin.createIncomingWebhook({
    channel_id: builds.id,
    display_name: 'Build server',
    description: 'Each build of the main branch.',
  });
  await admin.createIncomingWebhook({ channel_id: deployments.id, display_name: 'Alertmanager' });
  await post(incoming, {
    text: 'Build **417** has failed: `3 of 312 tests`',
    username: 'build-bot',
    attachments: [{ color: 'danger', title: 'Build 417', text: 'retry › waits as long as it was told' }],
  });
  await post(incoming, {
    text: 'Build **418** has passed.',
    username: 'build-bot',
    attachments: [
      {
        color: 'good',
        title: 'Build 418',
        fields: [
          { short: true, title: 'Branch', value: 'main' },
          { short: true, title: 'Duration', value: '4 min' },
        ],
      },
    ],
  });
  await post(incoming, { text: '' });
  const outgoing = await admin.createOutgoingWebhook({
    team_id: team.id,
    channel_id: deployments.id,
    display_name: 'Deployer',
    trigger_words: ['!deploy'],
    trigger_when: 1,
    callback_urls: [`${receiver.url}deploy`],
  });
  await admin.createOutgoingWebhook({
    team_id: team.id,
    channel_id: deployments.id,
    display_name: 'Ticket system',
    trigger_words: ['ticket'],
    callback_urls: [`${receiver.url}broken`],
  });
  for (const message of ['!deploy web', '!deploy api', 'ticket 1204 is about this', '!deploy web 2.4.1'])
    await admin.createPost({ channel_id: deployments.id, message });
  const { berlin, partner } = await connect(admin, team, peer, await signInAt(peer));
  await admin.createBot({
    username: 'build-bot',
    display_name: 'Build bot',
    description: 'Builds of all branches.',
  });
  const person = await admin.createUser({
    ...{ username: 'ada', email: 'ada@example.com', password: 'a long password for ada' },
    ...{ first_name: 'Ada', last_name: 'Lindqvist', position: 'Site reliability' },
  });
  await admin.addToTeam(team.id, person.id);
  await admin.createUserAccessToken(person.id, 'Backup script');
  await eventually('the replies', async () => receiver.deployed() >= 3);
  const failed = await eventually('a call that failed permanently', async () => {
    const { body } = await api(admin, '/hooks/outgoing/deliveries?status=failed');
    return body.deliveries[0];
  });
  await eventually('the counts of the calls', async () => {
    const { body } = await api(admin, '/hooks/outgoing/deliveries/stats?range=24h');
    return body.totals.delivered >= 3;
  });
  const { origin } = new URL(receiver.url);
  return { team, builds, incoming, outgoing, failed, origin, berlin, partner, person };
}

function post({ id }, payload) {
  return fetch(`${process.env.HOOKLINE_URL}/hooks/${id}`, { method: 'POST', body: JSON.stringify(payload) });
}

async function api(admin, route) {
  const response = await fetch(`${process.env.HOOKLINE_URL}/api/v4${route}`, {
    headers: { Authorization: `Bearer ${admin.getToken()}` },
  });
  return { status: response.status, body: await response.json() };
}

async function signInAt(peer) {
  const response = await fetch(`${peer.url}/api/v4/users/login`, {
    method: 'POST',
    body: JSON.stringify({ login_id: 'admin', password: peer.adminPassword }),
  });
  return response.headers.get('token');
}

/** One server that has accepted an invite, and one that has not yet. */
async function connect(admin, team, peer, token) {
  const invite = (name, title) =>
    admin.createRemoteCluster({ name, display_name: title, default_team_id: team.id });
  const { remote_cluster: berlin, invite: sealed, password } = await invite('berlin', 'Acme Berlin');
  const { remote_cluster: partner } = await invite('partner', 'Partner GmbH');
  const headers = { Authorization: `Bearer ${token}` };
  const [{ id: teamId }] = await (await fetch(`${peer.url}/api/v4/users/me/teams`, { headers })).json();
  const accepted = await fetch(`${peer.url}/api/v4/remotecluster/accept_invite`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'acme', default_team_id: teamId, invite: sealed, password }),
  });
  if (!accepted.ok) throw new Error(await accepted.text());
  return { berlin, partner };
}

/** A receiver that succeeds at one path and fails at the other. */
async function startReceiver() {
  let deployed = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const isBroken = request.url === '/broken';
      if (!isBroken) deployed++;
      response.statusCode = isBroken ? 500 : 200;
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(isBroken ? { error: 'The queue is full.' } : { text: 'Deployed.' }));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    deployed: () => deployed,
    close: () => server.close(),
  };
}
