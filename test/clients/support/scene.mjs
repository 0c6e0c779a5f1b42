import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import mattermost from '@mattermost/client';

const { Client4, ClientError } = mattermost;

/** The server under test; scripts/test-clients.mjs starts it and passes its URL. */
export const serverUrl = process.env.HOOKLINE_URL;
export const adminPassword = process.env.HOOKLINE_ADMIN_PASSWORD;
export const adminUsername = 'admin';
assert.ok(serverUrl && adminPassword, 'Start these suites with: npm run test:clients');

/** A valid but unknown id. */
export const unknownId = 'x'.repeat(26);

export const userPassword = 'a password for tests';

/** Suites share one server: every name that must be unique is generated here. */
export function unique(prefix) {
  return `${prefix}-${randomBytes(5).toString('hex')}`;
}

/** The stock client without a session. */
export function newClient() {
  const client = new Client4();
  client.setUrl(serverUrl);
  return client;
}

/** The stock client, signed in. */
export async function signIn(loginId = adminUsername, password = adminPassword) {
  const client = newClient();
  await client.login(loginId, password);
  return client;
}

/** A new account, created by an administrator, as { user, client } with the client signed in. */
export async function buildUser(admin, prefix = 'user') {
  const username = unique(prefix);
  const user = await admin.createUser({
    username,
    email: `${username}@example.com`,
    password: userPassword,
  });
  return { user, client: await signIn(username, userPassword) };
}

/** A team with a channel and a hook for it, created by the administrator through the stock client. */
export async function buildScene(prefix) {
  const admin = await signIn();
  const me = await admin.getMe();
  const team = await admin.createTeam({ name: unique(prefix), display_name: `Team of ${prefix}`, type: 'O' });
  const channel = await buildChannel(admin, team.id, prefix);
  const hook = await admin.createIncomingWebhook({
    channel_id: channel.id,
    display_name: `Hook of ${prefix}`,
    description: '',
  });
  return { admin, me, team, channel, hook, hookUrl: `${serverUrl}/hooks/${hook.id}` };
}

/** Another incoming webhook for the channel of a scene, as { hook, url }. */
export async function buildHook({ admin, channel }, fields) {
  const hook = await admin.createIncomingWebhook({
    ...{ channel_id: channel.id, display_name: 'Hook', description: '' },
    ...fields,
  });
  return { hook, url: `${serverUrl}/hooks/${hook.id}` };
}

export async function buildChannel(client, teamId, prefix = 'channel', type = 'O') {
  return client.createChannel({
    team_id: teamId,
    name: unique(prefix),
    display_name: `Channel of ${prefix}`,
    type,
  });
}

/** The posts of a channel, newest first, without system messages such as "joined the channel". */
export async function postsIn(client, channelId) {
  const list = await client.getPosts(channelId, 0, 200);
  return list.order.map((id) => list.posts[id]).filter((post) => !post.type.startsWith('system_'));
}

/** All texts that clients show of a post. */
export function textsOf({ message, props }) {
  const ofAttachment = ({ title, text, pretext, fields }) => [
    ...[title, text, pretext],
    ...(fields ?? []).flatMap((field) => [field.title, field.value]),
  ];
  return [message, ...(props.attachments ?? []).flatMap(ofAttachment)].filter(Boolean).map(String);
}

/** Asserts that the stock client turns the refusal into an error with all fields that its callers read. */
export async function assertRefused(call, status, id) {
  const error = await call.then(
    () => assert.fail(`Should have been refused with ${status} ${id}.`),
    (reason) => reason,
  );
  assert.ok(error instanceof ClientError, `Not a ClientError: ${error?.stack ?? error}`);
  assert.deepEqual(
    { status_code: error.status_code, server_error_id: error.server_error_id },
    { status_code: status, server_error_id: id },
    error.message,
  );
  assert.equal(typeof error.message, 'string');
  assert.notEqual(error.message, '');
  assert.equal(typeof error.detailed_error, 'string');
  return error;
}

/** The ids of records, or another key of them, in order. */
export const sortedIds = (records, key = 'id') => records.map((record) => record[key]).sort();

export const statusOk = { status: 'OK' };

/** Waits until `probe` returns something truthy, and returns it. */
export async function eventually(what, probe, timeoutMs = 20_000) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > deadline) assert.fail(`Has not come within ${timeoutMs / 1000} s: ${what}`);
    await sleep(30);
  }
}
