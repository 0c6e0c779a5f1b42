/** The state before the attacks: a team with users, channels, posts, and webhooks whose receivers respond badly. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '../support/api-client.mjs';
import { forkAside } from './aside.mjs';
import { hostileTemplates } from './hostile.mjs';

const PASSWORD = 'a long enough password';
const PEOPLE = 60;
const POSTS = 300;
const BAD_HOOKS = 12;
/** Less than the timeout of a call. */
const PATIENCE_S = 15;

const FORMATS = ['github', 'gitlab', 'gitea', 'grafana', 'alertmanager', 'sentry', 'teams', 'cloudevents'];
/** Secrets of verifiers, by preset. */
const SECRETS = {
  ...{ stripe: 'a secret', slack: 'a secret', twilio: 'a secret', github: 'a secret' },
  'standard-webhooks': Buffer.from('a secret of 24 characters').toString('base64'),
  telnyx: Buffer.alloc(32, 1).toString('base64'),
};

export class Scene {
  static async create(url, adminPassword, isLowPriority) {
    const admin = await new ApiClient(url).login('admin', adminPassword);
    if (!admin) throw new Error('The administrator cannot sign in.');
    const scene = new Scene();
    scene.receivers = await BadReceivers.start(isLowPriority);
    const team = await admin.call('GET', '/teams/name/main');
    const newChannel = (name) =>
      admin.call('POST', '/channels', { team_id: team.id, name, display_name: name, type: 'O' });
    const [channel, open, calm] = [
      await newChannel('stage'),
      await newChannel('open'),
      await newChannel('calm'),
    ];
    const join = (channelId, id) => admin.call('POST', `/channels/${channelId}/members`, { user_id: id });
    const newPerson = async (name) => {
      const account = { username: name, email: `${name}@example.com`, password: PASSWORD };
      const { id, username } = await admin.call('POST', '/users', account);
      await admin.call('POST', `/teams/${team.id}/members`, { team_id: team.id, user_id: id });
      return { id, username };
    };
    const signedIn = async (person) => ({
      ...person,
      token: (await admin.login(person.username, PASSWORD)).token,
    });
    const people = [];
    for (let n = 0; n < PEOPLE; n++) people.push(await newPerson(`person${n}`));
    const newcomer = await newPerson('newcomer1');
    const member = await newPerson('member1');
    const bystander = await newPerson('bystander');
    for (const { id } of [newcomer, member, ...people.slice(0, 20)]) await join(channel.id, id);
    await join(calm.id, bystander.id);
    // Not a session, because new sessions end the oldest.
    const { token: newcomerToken } = await admin.call('POST', `/users/${newcomer.id}/tokens`, {
      description: 'Attack',
    });
    const newHook = (channelId, fields) =>
      admin.call('POST', '/hooks/incoming', { channel_id: channelId, display_name: 'Hook', ...fields });
    const idsOf = async (all) => {
      const ids = {};
      for (const [name, fields] of Object.entries(all)) ids[name] = (await newHook(channel.id, fields)).id;
      return ids;
    };
    const root = await admin.as((await signedIn(member)).token).call('POST', '/posts', {
      ...{ channel_id: channel.id, message: 'The first message.' },
    });
    for (let n = 0; n < POSTS; n++)
      await admin.call('POST', '/posts', { channel_id: channel.id, message: `Message ${n} about a build.` });
    for (let n = 0; n < BAD_HOOKS; n++)
      await admin.call('POST', '/hooks/outgoing', {
        ...{ team_id: team.id, channel_id: channel.id, display_name: `Bad ${n}` },
        ...{ trigger_words: ['deploy', `word${n}`], callback_urls: [scene.receivers.url(n)] },
      });
    // On the host of hanging webhooks.
    await admin.call('POST', '/hooks/outgoing', {
      ...{ team_id: team.id, channel_id: calm.id, display_name: 'Well', trigger_words: [] },
      callback_urls: [scene.receivers.url(0).replace(/\/0$/, '/well')],
    });
    scene.data = {
      ...{ password: PASSWORD, teamId: team.id, channelId: channel.id, openChannelId: open.id, people },
      ...{ rootId: root.id, newcomer: { ...newcomer, token: newcomerToken }, member: await signedIn(member) },
      hookId: (await newHook(channel.id)).id,
      manager: { token: admin.token },
      templateHookIds: Object.values(
        await idsOf(hostileTemplates.map((template) => ({ format: 'template', template }))),
      ),
      formatHookIds: await idsOf(Object.fromEntries(FORMATS.map((format) => [format, { format }]))),
      verifierHookIds: await idsOf(
        Object.fromEntries(
          Object.entries(SECRETS).map(([preset, secret]) => [preset, { verifier: { preset, secret } }]),
        ),
      ),
      bystander: { ...(await signedIn(bystander)), channelId: calm.id },
      bystanderHookId: (await newHook(calm.id)).id,
    };
    return scene;
  }

  /**
   * Waits until the webhook of the other user's channel was called this often, or for a limited time, and returns the
   * number of calls.
   */
  async callsOfWell(expected) {
    for (let tries = 0; ; tries++) {
      const calls = await this.receivers.calls();
      if (calls >= expected || tries >= PATIENCE_S) return calls;
      await sleep(1_000);
    }
  }

  close() {
    return this.receivers.close();
  }
}

/** Receivers in a separate process, so that they do not block the measuring one. */
class BadReceivers {
  static async start(isLowPriority) {
    const receivers = new BadReceivers();
    receivers.child = forkAside('receivers.mjs', isLowPriority);
    [receivers.ports] = await once(receivers.child, 'message');
    return receivers;
  }

  url(n) {
    return `http://127.0.0.1:${this.ports[n % this.ports.length]}/${n}`;
  }

  async calls() {
    this.child.send('calls');
    const [calls] = await once(this.child, 'message');
    return calls;
  }

  async close() {
    this.child.disconnect();
    await once(this.child, 'exit');
  }
}
