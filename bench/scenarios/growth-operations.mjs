/** What `growth.mjs` measures: requests whose time must not depend on the size of the database. */
import { generateLoad } from '../load.mjs';
import { commonWord, rareWord } from '../fill/texts.mjs';
import { apiRequest, jsonRequest } from '../requests.mjs';

/** How much slower the large size may be: its p50, its p99, and the longest p50 in all, in ms. */
const flat = { p50: 1.5, p99: 2 };
const deep = { p50: 5, maxMs: 500 };
const search = { p50: 3 };
const index = { p50: 2 };

/** @typedef {(load: { count: number, seconds: number }) => Promise<{ p50: number, p99: number, failed: number }>} Work */

/**
 * The operations on one server, as name, aim and work.
 *
 * @returns {[string, { p50: number, p99?: number, maxMs?: number }, Work][]}
 */
export function operationsOn(api, models, landmarks) {
  const { team, channel, outgoing, refused } = models;
  const { post, incoming, delivery } = landmarks;
  const get = (path) => repeated(api, apiRequest(api, 'GET', path));
  const send = (path, body) => repeated(api, apiRequest(api, 'POST', path, body));
  const posts = (query) => get(`/channels/${channel}/posts?per_page=60&${query}`);
  const find = (terms) => send(`/teams/${team}/posts/search`, { terms });
  const hooks = (kind, query) => get(`/hooks/${kind}?team_id=${team}&per_page=60&${query}`);
  const lastPage = Math.floor((incoming.of - 1) / 60);
  const deliveries = (of, query) => get(`/hooks/outgoing/${of}/deliveries?per_page=60&${query}`);
  const all = (query) => get(`/hooks/outgoing/deliveries?per_page=60&${query}`);
  const explained = { channel_id: channel, message: 'the build is green, and so is the deploy to staging' };
  return [
    ['post through a webhook', flat, repeated(api, hookRequest(api, models.incoming))],
    [
      'post that triggers nothing',
      flat,
      send('/posts', { channel_id: channel, message: 'All is well here.' }),
    ],
    ['posts: the newest 60', flat, posts('page=0')],
    ['posts: before an id', flat, posts(`before=${post.id}`)],
    ['posts: after an id', flat, posts(`after=${post.id}`)],
    ['posts: since a time far back', flat, posts(`since=${post.at}`)],
    ['posts: page 200', deep, posts('page=200')],
    ['post by id', flat, get(`/posts/${post.id}`)],
    ['search: a rare word', search, find(rareWord)],
    ['search: a common word', search, find(commonWord)],
    ['search: no such word', search, find('nosuchword')],
    ['incoming webhooks: first page', flat, hooks('incoming', 'page=0')],
    ['incoming webhooks: last page', deep, hooks('incoming', `page=${lastPage}`)],
    ['incoming webhooks: after a cursor', flat, hooks('incoming', `after=${incoming.id}`)],
    ['incoming webhooks: with total count', deep, hooks('incoming', 'page=0&include_total_count=true')],
    ['outgoing webhooks: first page', flat, hooks('outgoing', 'page=0')],
    ['webhook by id', flat, get(`/hooks/incoming/${incoming.id}`)],
    ['explain', index, send('/hooks/outgoing/explain', explained)],
    ['trigger post after a change of a webhook', index, afterChange(api, models)],
    ['deliveries: the newest 60', flat, deliveries(outgoing, '')],
    ['deliveries: after a cursor', flat, deliveries(outgoing, `cursor=${delivery.id}`)],
    ['deliveries: pending, many', flat, deliveries(refused, 'status=pending')],
    ['deliveries: pending, none among many', flat, deliveries(outgoing, 'status=pending')],
    ['deliveries: failed, none among many', flat, deliveries(outgoing, 'status=failed')],
    ['delivery by id', flat, get(`/hooks/outgoing/${outgoing}/deliveries/${delivery.id}`)],
    ['all deliveries: the newest 60', flat, all('')],
    ['all deliveries: pending', flat, all('status=pending')],
    ['all deliveries: failed, none among many', flat, all('status=failed')],
    ['all deliveries: of an endpoint', flat, all('endpoint=http%3A%2F%2F127.0.0.1%3A1')],
    ['outcomes of a month', flat, get('/hooks/outgoing/deliveries/stats?range=30d')],
    ['autocomplete of people', flat, get(`/users/autocomplete?in_team=${team}&name=grown1`)],
    ['autocomplete of channels', flat, get(`/teams/${team}/channels/autocomplete?name=growth-channel-1`)],
    ['statistics of a team', flat, get(`/teams/${team}/stats`)],
    ['statistics of a channel', flat, get(`/channels/${channel}/stats`)],
    ['metrics', flat, repeated(api, jsonRequest('GET', `${api.url}/metrics`))],
  ];
}

const repeated = (api, request) => (load) =>
  generateLoad({ url: api.url, connections: 1, ...load, request: () => request });

export function hookRequest(api, hook) {
  return jsonRequest('POST', `${api.url}/hooks/${hook}`, {
    text: 'Build 812 is green.',
    username: 'build-bot',
  });
}

/** Times the post alone; the change before it makes the server forget what it knew of the webhook. */
function afterChange(api, { outgoing, channel }) {
  const change = (n) =>
    apiRequest(api, 'PATCH', `/hooks/outgoing/${outgoing}`, { description: `change ${n}` });
  const post = apiRequest(api, 'POST', '/posts', { channel_id: channel, message: 'All is well here.' });
  return async ({ count, seconds }) => {
    const posted = [];
    let failed = 0;
    const deadline = performance.now() + seconds * 1000;
    for (let n = 0; n < count && performance.now() < deadline; n++) {
      for (const request of [change(n), post]) {
        const one = await generateLoad({ url: api.url, connections: 1, count: 1, request: () => request });
        failed += one.failed;
        if (request === post) posted.push(one.p50);
      }
    }
    posted.sort((a, b) => a - b);
    const at = (share) => posted[Math.min(posted.length - 1, Math.floor(posted.length * share))];
    return { p50: at(0.5), p99: at(0.99), failed };
  };
}
