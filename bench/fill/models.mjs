/** Makes one of each through the API: the rows that `fill.mjs` copies. */
import { startReceivers } from '../receivers.mjs';

const userPassword = 'a password 1';
/** Nobody listens there. */
const refusedUrl = 'http://127.0.0.1:1/';
const word = 'growthword';

/** @returns the ids, and the token-free facts that the operations need */
export async function makeModels(api) {
  const admin = (await api.call('GET', '/users/me')).id;
  const team = await makeTeam(api, 'growth');
  const otherTeam = await makeTeam(api, 'growth-other');
  const channel = await makeChannel(api, team, 'big');
  const otherChannel = await makeChannel(api, otherTeam, 'square');
  const user = await api.call('POST', '/users', {
    ...{ username: 'grown', email: 'grown@example.com', password: userPassword },
  });
  await api.call('POST', `/teams/${team}/members`, { team_id: team, user_id: user.id });
  await api.call('POST', `/channels/${channel}/members`, { user_id: user.id });
  const incoming = await api.call('POST', '/hooks/incoming', { channel_id: channel, display_name: 'Growth' });
  const posted = await api.call('POST', `/hooks/${incoming.id}?wait=true`, {
    text: 'Build 1',
    username: 'build-bot',
  });
  const receivers = await startReceivers(1);
  try {
    const outgoing = await makeOutgoing(api, team, channel, [receivers.urls[0]]);
    const refused = await makeOutgoing(api, team, channel, [refusedUrl]);
    await api.call('POST', '/posts', { channel_id: channel, message: `${word} now` });
    return {
      ...{ admin, team, otherTeam, channel, otherChannel, user: user.id, outgoing, refused },
      ...{ incoming: incoming.id, post: posted.post_ids[0] },
      delivered: await firstDelivery(api, outgoing, ({ status }) => status === 'delivered'),
      retrying: await firstDelivery(api, refused, ({ attempts }) => attempts > 0),
    };
  } finally {
    await receivers.stop();
  }
}

async function makeTeam(api, name) {
  return (await api.call('POST', '/teams', { name, display_name: name, type: 'O' })).id;
}

async function makeChannel(api, team, name) {
  const channel = { team_id: team, name: `growth-${name}`, display_name: `Growth ${name}`, type: 'O' };
  return (await api.call('POST', '/channels', channel)).id;
}

/** @returns its id */
export async function makeOutgoing(api, team, channel, callback_urls, trigger = word) {
  const hook = await api.call('POST', '/hooks/outgoing', {
    ...{ team_id: team, channel_id: channel, display_name: 'Growth', content_type: 'application/json' },
    ...{ trigger_words: [trigger], callback_urls },
  });
  return hook.id;
}

async function firstDelivery(api, hook, isReady) {
  for (let waited = 0; waited < 10_000; waited += 50) {
    const { deliveries } = await api.call('GET', `/hooks/outgoing/${hook}/deliveries`);
    const [first] = deliveries;
    if (first && isReady(first)) return first.id;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('A delivery was not made within 10 s.');
}
