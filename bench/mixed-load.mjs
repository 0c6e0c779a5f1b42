/** The mixed load of a busy server: posts, reads, changes, webhook calls, and clients that receive events. */
import { generateLoad } from './load.mjs';
import { startReceivers } from './receivers.mjs';
import { apiRequest, jsonRequest, textOf } from './requests.mjs';

const word = '!deploy';
const connections = 16;

/** @returns the kinds of requests with their share of all, a load of all of them, and the receivers of the calls */
export async function prepareMixedLoad(api) {
  const team = (await api.call('POST', '/teams', { name: 'mixed', display_name: 'Mixed', type: 'O' })).id;
  const makeChannel = async (name) =>
    (await api.call('POST', '/channels', { team_id: team, name, display_name: name, type: 'O' })).id;
  const [posts, talk] = [await makeChannel('posts'), await makeChannel('talk')];
  const incoming = (await api.call('POST', '/hooks/incoming', { channel_id: posts, display_name: 'Mixed' }))
    .id;
  const receivers = await startReceivers(4);
  await api.call('POST', '/hooks/outgoing', {
    ...{ team_id: team, channel_id: talk, display_name: 'Mixed', content_type: 'application/json' },
    ...{ trigger_words: [word], callback_urls: [receivers.urls[0]] },
  });
  const body = { text: textOf(200), username: 'build-bot' };
  const change = {
    channel_id: posts,
    display_name: 'Mixed',
    description: 'changed',
    username: '',
    icon_url: '',
  };
  const kinds = {
    post: [0.5, jsonRequest('POST', `${api.url}/hooks/${incoming}`, body)],
    'trigger post': [
      0.1,
      apiRequest(api, 'POST', '/posts', { channel_id: talk, message: `${word} ${textOf(190)}` }),
    ],
    'read posts': [0.15, apiRequest(api, 'GET', `/channels/${posts}/posts?per_page=60`)],
    'list webhooks': [0.1, apiRequest(api, 'GET', `/hooks/incoming?team_id=${team}&per_page=60`)],
    'get webhook': [0.1, apiRequest(api, 'GET', `/hooks/incoming/${incoming}`)],
    'change webhook': [
      0.05,
      apiRequest(api, 'PUT', `/hooks/incoming/${incoming}`, { id: incoming, ...change }),
    ],
  };
  return {
    receivers,
    /** The requests per second that the server can serve. */
    async maximum(seconds) {
      const turns = Object.values(kinds).flatMap(([share, request]) =>
        Array(Math.round(share * 20)).fill(request),
      );
      const request = (n) => turns[(n * 7) % turns.length];
      const { rate, failed, statuses } = await generateLoad({ url: api.url, connections, seconds, request });
      if (failed > 0) throw new Error(`${failed} requests failed: ${JSON.stringify(statuses)}`);
      return rate;
    },
    /** Sends this number of requests per second, and returns the figures of each kind. */
    async run(perSecond, seconds) {
      const results = await Promise.all(
        Object.entries(kinds).map(async ([name, [share, request]]) => {
          const load = { url: api.url, connections, seconds, perSecond: perSecond * share };
          return [name, await generateLoad({ ...load, request: () => request })];
        }),
      );
      return Object.fromEntries(results);
    },
  };
}
