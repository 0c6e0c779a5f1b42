/** Listing, getting and creating incoming webhooks. */
import { makeChannel } from '../channels.mjs';
import { fieldsOf, requireSameAnswer } from '../measure.mjs';
import { apiRequest, askYardstick, jsonRequest, sender } from '../requests.mjs';

const PAGE = 60;
/** So that neighbouring requests use different rows. */
const STRIDE = 37;

/** A channel whose team has the number of webhooks of this size. Created once per server. */
async function channelWithHooks(bench) {
  bench.channelWithHooks ??= makeHooks(bench);
  return bench.channelWithHooks;
}

async function makeHooks({ api, sizes }) {
  const channel = await makeChannel(api);
  const body = { channel_id: channel.id, display_name: 'One of many' };
  const create = sender(api.url, apiRequest(api, 'POST', '/hooks/incoming', body));
  await create({ connections: 16, count: sizes.hooks });
  return channel;
}

const byTurns = (requests) => (n) => requests[(n * STRIDE) % requests.length];
const pagesOf = ({ sizes }) => Array.from({ length: sizes.hooks / PAGE }, (_, page) => page);

export const list = {
  name: 'list',
  title: 'List 60 webhooks of a team',
  unit: 'lists',
  ideal: 'one `SELECT`',
  connections: [1, 16, 64],

  async prepare(bench) {
    const { api, yardstick } = bench;
    const { team_id: team } = await channelWithHooks(bench);
    const pages = pagesOf(bench);
    const path = (page) => `/hooks/incoming?team_id=${team}&page=${page}&per_page=${PAGE}`;
    const server = sender(api.url, byTurns(pages.map((page) => apiRequest(api, 'GET', path(page)))));
    if (!yardstick) return { server };
    const ideal = (page) => `/list?${team}&${page}`;
    requireSameAnswer('list', await api.call('GET', path(3)), await askYardstick(yardstick, 'GET', ideal(3)));
    const requests = pages.map((page) => jsonRequest('GET', `${yardstick.url}${ideal(page)}`));
    return { server, yardstick: sender(yardstick.url, byTurns(requests)) };
  },
};

export const get = {
  name: 'get',
  title: 'Get one webhook',
  unit: 'webhooks',
  ideal: 'one `SELECT`',
  connections: [1, 16, 64],

  async prepare(bench) {
    const { api, yardstick } = bench;
    const { team_id: team } = await channelWithHooks(bench);
    const hooks = await api.call('GET', `/hooks/incoming?team_id=${team}&per_page=200`);
    const path = ({ id }) => `/hooks/incoming/${id}`;
    const server = sender(api.url, byTurns(hooks.map((hook) => apiRequest(api, 'GET', path(hook)))));
    if (!yardstick) return { server };
    const ideal = ({ id }) => `/get?${id}`;
    requireSameAnswer('get', hooks[0], await askYardstick(yardstick, 'GET', ideal(hooks[0])));
    const requests = hooks.map((hook) => jsonRequest('GET', `${yardstick.url}${ideal(hook)}`));
    return { server, yardstick: sender(yardstick.url, byTurns(requests)) };
  },
};

export const create = {
  name: 'create',
  title: 'Create a webhook',
  unit: 'webhooks',
  ideal: 'parse, webhook and audit row in one commit, batched; the webhook',
  connections: [1, 16, 64],

  async prepare({ api, yardstick }) {
    const channel = await makeChannel(api);
    const body = { channel_id: channel.id, display_name: 'New' };
    const server = sender(api.url, apiRequest(api, 'POST', '/hooks/incoming', body));
    if (!yardstick) return { server };
    const answer = await api.call('POST', '/hooks/incoming', body);
    const ideal = await askYardstick(yardstick, 'POST', '/create', body);
    requireSameAnswer('create', fieldsOf(answer), fieldsOf(ideal));
    return {
      server,
      yardstick: sender(yardstick.url, jsonRequest('POST', `${yardstick.url}/create`, body)),
    };
  },
};
