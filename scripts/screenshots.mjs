/**
 * `npm run docs:images`: the pictures of the console in `docs/images`, taken in Chromium from two servers with
 * example data.
 */
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { findProgram, installMachineClients } from '../test/clients/support/machine-clients.mjs';
import { startRunningServer } from '../test/clients/support/running-server.mjs';
import { exitBecauseOf, prepare, root } from './prepare.mjs';

const folder = path.join(root, 'docs', 'images');
const viewport = { width: 1200, height: 760 };

/** The name of each picture, and its content: the path after `#`, and the actions before. */
const pictures = {
  home: { at: () => '/' },
  channels: { at: ({ builds }) => `/channels?channel=${builds.id}` },
  'incoming-test': { at: ({ incoming }) => `/incoming/${incoming.id}?tab=test` },
  outgoing: { at: ({ outgoing }) => `/outgoing/${outgoing.id}` },
  delivery: {
    at: () => '/deliveries?status=failed',
    act: async (page) => {
      await page.getByRole('list', { name: 'Deliveries' }).getByRole('button').first().click();
      await page.getByRole('dialog').getByText('500').first().waitFor();
    },
  },
  connections: { at: () => '/connections' },
  'home-dark': { at: () => '/', colorScheme: 'dark' },
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
    mkdirSync(folder, { recursive: true });
    for (const [name, picture] of Object.entries(pictures)) {
      await takePicture(
        page,
        `${server.url}/#${picture.at(scene)}`,
        picture,
        path.join(folder, `${name}.png`),
      );
      console.log(`docs/images/${name}.png`);
    }
  } finally {
    await browser.close();
    receiver.close();
    await Promise.all([server.stop(), peer.stop()]);
  }
}

async function openConsole(browser, server, scene) {
  const { signIn } = await import('../test/clients/support/console.mjs');
  const page = await browser.newPage({ viewport });
  await page.goto(server.url);
  await page.evaluate((id) => localStorage.setItem('hookline.team', id), scene.team.id);
  await signIn(page, 'admin', server.adminPassword);
  return page;
}

async function takePicture(page, url, { act, colorScheme = 'light' }, file) {
  await page.emulateMedia({ colorScheme });
  await page.goto(url);
  await page.reload(); // nothing of the previous page is left
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('.loading').first().waitFor({ state: 'detached' });
  await act?.(page);
  await page.screenshot({ path: file });
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
  await connect(admin, team, peer, await signInAt(peer));
  await eventually('the replies', async () => receiver.deployed() >= 3);
  await eventually('a call that failed permanently', async () => {
    const { body } = await api(admin, '/hooks/outgoing/deliveries?status=failed');
    return body.deliveries.length > 0;
  });
  await eventually('the counts of the calls', async () => {
    const { body } = await api(admin, '/hooks/outgoing/deliveries/stats?range=24h');
    return body.totals.delivered >= 3;
  });
  return { admin, team, builds, deployments, incoming, outgoing };
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
  const { invite: sealed, password } = await invite('berlin', 'Acme Berlin');
  await invite('partner', 'Partner GmbH');
  const headers = { Authorization: `Bearer ${token}` };
  const [{ id: teamId }] = await (await fetch(`${peer.url}/api/v4/users/me/teams`, { headers })).json();
  const accepted = await fetch(`${peer.url}/api/v4/remotecluster/accept_invite`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'acme', default_team_id: teamId, invite: sealed, password }),
  });
  if (!accepted.ok) throw new Error(await accepted.text());
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
