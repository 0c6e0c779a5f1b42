/** @mattermost/client, Client4: every method for secure connections, and those for shared channels. */
import assert from 'node:assert/strict';
import { createCipheriv, createDecipheriv, pbkdf2Sync, randomBytes } from 'node:crypto';
import http from 'node:http';
import { after, before, describe, test } from 'node:test';
import {
  assertRefused,
  buildChannel,
  buildScene,
  buildUser,
  statusOk,
  unique,
  unknownId,
} from './support/scene.mjs';

const forbidden = 'api.context.permissions.app_error';
const missing = 'api.remote_cluster.get.not_found';
const keyOf = (password, salt) => pbkdf2Sync(password, salt, 600_000, 32, 'sha256');

/** An invite as another server creates it. */
function seal(plaintext, password) {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', keyOf(password, salt), nonce);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(plaintext)), cipher.final()]);
  return toWire(Buffer.concat([salt, nonce, sealed, cipher.getAuthTag()]));
}

/** The content of an invite of the server. */
function open(wire, password) {
  const bytes = Buffer.from(wire, 'base64url');
  assert.equal(toWire(bytes), wire);
  const decipher = createDecipheriv(
    'aes-256-gcm',
    keyOf(password, bytes.subarray(0, 16)),
    bytes.subarray(16, 28),
  );
  decipher.setAuthTag(bytes.subarray(-16));
  return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28, -16)), decipher.final()]).toString());
}

const toWire = (bytes) => bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_');
const idOf = () => randomBytes(32).toString('hex').slice(0, 26);

describe('@mattermost/client: secure connections', () => {
  let admin;
  let me;
  let team;
  let inviter;
  const calls = [];

  before(async () => {
    ({ admin, me, team } = await buildScene('connections'));
    inviter = http.createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text) => (body += text));
      request.on('end', () => {
        const { pathname } = new URL(request.url, 'http://localhost');
        calls.push({ pathname, headers: request.headers, body: JSON.parse(body) });
        response.setHeader('content-type', 'application/json');
        const { payload } = JSON.parse(body).msg;
        response.end(
          JSON.stringify(pathname.endsWith('/ping') ? { ...payload, recv_at: Date.now() } : { status: 'OK' }),
        );
      });
    });
    await new Promise((resolve) => inviter.listen(0, '127.0.0.1', resolve));
  });
  after(() => inviter.close());

  const create = (change = {}, client = admin) =>
    client.createRemoteCluster({
      name: unique('site'),
      display_name: 'Branch office',
      default_team_id: team.id,
      password: 'correct horse battery',
      ...change,
    });
  const accept = (change = {}) => {
    const { port } = inviter.address();
    const plaintext = {
      remote_id: idOf(),
      remote_team_id: '',
      site_url: `http://127.0.0.1:${port}`,
      token: idOf(),
      version: 3,
    };
    const invite = seal(plaintext, 'correct horse battery');
    return admin
      .acceptInviteRemoteCluster({
        name: unique('peer'),
        display_name: 'Head office',
        default_team_id: team.id,
        invite,
        password: 'correct horse battery',
        ...change,
      })
      .then((cluster) => ({ cluster, plaintext }));
  };

  test('createRemoteCluster: the record, the invite, and a password when none was given', async () => {
    const { remote_cluster: cluster, invite, password } = await create({ password: '' });
    assert.match(cluster.remote_id, /^[a-z0-9]{26}$/);
    assert.match(cluster.site_url, /^pending_[a-z0-9]{26}$/);
    assert.equal(cluster.creator_id, me.id);
    assert.equal(cluster.default_team_id, team.id);
    assert.equal(cluster.token, '');
    assert.equal(cluster.remote_token, '');
    assert.equal(password.length, 16);
    const opened = open(invite, password);
    assert.equal(opened.remote_id, cluster.remote_id);
    assert.equal(opened.version, 3);
    assert.match(opened.token, /^[a-z0-9]{26}$/);
    assert.equal('password' in (await create()), false);
  });

  test('createRemoteCluster: refusals', async () => {
    await assertRefused(create({ name: 'two words' }), 400, 'model.cluster.is_valid.name.app_error');
    await assertRefused(create({ default_team_id: '' }), 400, 'api.context.invalid_body_param.app_error');
    const { client } = await buildUser(admin, 'stranger');
    await assertRefused(create({}, client), 403, forbidden);
  });

  test('getRemoteClusters: by display name, without plugins, confirmed ones only', async () => {
    const { remote_cluster: pending } = await create({ display_name: unique('zz') });
    const { cluster } = await accept();
    const all = await admin.getRemoteClusters({ excludePlugins: true });
    const names = all.map(({ display_name: name }) => name);
    assert.deepEqual(names, names.toSorted?.() ?? [...names].sort());
    const ids = all.map(({ remote_id: id }) => id);
    assert.ok(ids.includes(pending.remote_id) && ids.includes(cluster.remote_id));
    const confirmed = (await admin.getRemoteClusters({ onlyConfirmed: true })).map(({ remote_id: id }) => id);
    assert.ok(confirmed.includes(cluster.remote_id) && !confirmed.includes(pending.remote_id));
  });

  test('getRemoteCluster, patchRemoteCluster, deleteRemoteCluster', async () => {
    const { remote_cluster: cluster } = await create();
    assert.deepEqual(await admin.getRemoteCluster(cluster.remote_id), cluster);
    const patched = await admin.patchRemoteCluster(cluster.remote_id, { display_name: 'Moved' });
    assert.equal(patched.display_name, 'Moved');
    assert.equal(patched.default_team_id, cluster.default_team_id);
    assert.deepEqual(await admin.deleteRemoteCluster(cluster.remote_id), statusOk);
    assert.ok((await admin.getRemoteCluster(cluster.remote_id)).delete_at > 0);
    await assertRefused(admin.deleteRemoteCluster(cluster.remote_id), 404, missing);
    await assertRefused(admin.getRemoteCluster(unknownId), 404, missing);
  });

  test('generateInviteRemoteCluster: a plain text that opens to the same connection', async () => {
    const { remote_cluster: cluster } = await create();
    const invite = await admin.generateInviteRemoteCluster(cluster.remote_id, {
      password: 'another password',
    });
    assert.equal(typeof invite, 'string');
    assert.equal(open(invite, 'another password').remote_id, cluster.remote_id);
  });

  test('acceptInviteRemoteCluster: confirms with the inviter, and pings it', async () => {
    const { cluster, plaintext } = await accept();
    assert.equal(cluster.remote_id, plaintext.remote_id);
    assert.equal(cluster.site_url, plaintext.site_url);
    const ofThis = () => calls.filter(({ headers }) => headers['x-remotecluster-id'] === plaintext.remote_id);
    const [confirm] = ofThis();
    assert.equal(confirm.pathname, '/api/v4/remotecluster/confirm_invite');
    assert.equal(confirm.headers['x-remotecluster-token'], plaintext.token);
    const { token, refreshed_token: refreshed } = confirm.body.msg.payload;
    assert.match(token, /^[a-z0-9]{26}$/);
    assert.match(refreshed, /^[a-z0-9]{26}$/);
    while (ofThis().length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(ofThis()[1].pathname, '/api/v4/remotecluster/ping');
    assert.equal(ofThis()[1].headers['x-remotecluster-token'], refreshed);
    await assertRefused(accept({ password: 'wrong' }), 400, 'api.remote_cluster.invite_decrypt_error');
  });

  test('sharedChannelRemoteInvite, getSharedChannelRemotes, sharedChannelRemoteUninvite', async () => {
    const { cluster } = await accept();
    const channel = await buildChannel(admin, team.id, 'shared');
    assert.deepEqual(await admin.sharedChannelRemoteInvite(cluster.remote_id, channel.id), statusOk);
    const [share, ...others] = await admin.getSharedChannelRemotes(cluster.remote_id, {});
    assert.deepEqual(others, []);
    assert.equal(share.channel_id, channel.id);
    assert.equal(share.remote_id, cluster.remote_id);
    assert.equal(share.delete_at, 0);
    assert.deepEqual(await admin.sharedChannelRemoteUninvite(cluster.remote_id, channel.id), statusOk);
    assert.deepEqual(await admin.getSharedChannelRemotes(cluster.remote_id, {}), []);
  });
});
