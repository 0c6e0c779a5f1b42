/** Measures outgoing webhooks, from the message to the receipt of the call. */
import { makeChannel } from './channels.mjs';
import { generateLoad, httpRequest } from './load.mjs';
import { cpuSeconds, startProcess } from './processes.mjs';
import { median, ms, table } from './table.mjs';

const word = '!deploy';
const chatter = 'Build 812 of the main branch is green: 1204 tests passed in 8 minutes. '
  .repeat(3)
  .slice(0, 190);

/** Receivers of webhooks in a separate process. */
export async function startReceivers(endpoints, hung = 0) {
  const started = await startProcess(
    process.execPath,
    ['bench/receiver.mjs', String(endpoints), String(hung)],
    {
      ready: (output) => (output.includes('\n') ? JSON.parse(output) : undefined),
    },
  );
  const urls = started.value.ports.map((port) => `http://127.0.0.1:${port}/`);
  const stats = async () => (await fetch(`${urls[0]}stats`)).json();
  return { urls, stats, stop: started.stop };
}

/** Creates a channel whose trigger word calls these URLs, with up to 20 URLs per hook. */
export async function makeTriggeredChannel(api, urls) {
  const channel = await makeChannel(api);
  for (let start = 0; start < urls.length; start += 20) {
    await api.call('POST', '/hooks/outgoing', {
      team_id: channel.team_id,
      channel_id: channel.id,
      display_name: 'Bench',
      trigger_words: [word],
      callback_urls: urls.slice(start, start + 20),
      content_type: 'application/json',
    });
  }
  return channel;
}

/** A request that posts a message. */
export function messageRequest(api, channelId, isTrigger) {
  const message = isTrigger ? `${word} ${chatter}` : chatter;
  return httpRequest({
    method: 'POST',
    url: `${api.url}/api/v4/posts`,
    headers: { Authorization: `Bearer ${api.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ channel_id: channelId, message }),
  });
}

/** Posts trigger messages, waits until all calls have arrived, and returns the figures of both sides. */
export async function triggerLoad({ api, channel, receivers, endpoints, ...load }) {
  await receivers.stats();
  const request = messageRequest(api, channel.id, true);
  const startedAt = performance.timeOrigin + performance.now();
  const posts = await generateLoad({ url: api.url, request: () => request, ...load });
  const expected = posts.ok * endpoints;
  const total = { count: 0, lastAt: 0 };
  const parts = [];
  for (let waited = 0; total.count < expected && waited < 60_000; waited += 100) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const part = await receivers.stats();
    if (part.count === 0) continue;
    parts.push(part);
    total.count += part.count;
    total.lastAt = part.lastAt;
  }
  const received = parts.sort((a, b) => b.count - a.count)[0] ?? {};
  return {
    posts,
    expected,
    count: total.count,
    received,
    rate: total.count / ((total.lastAt - startedAt) / 1000),
  };
}

/**
 * Posting with and without a hook that fires, the time from a message's `create_at`, which is before the commit, to its
 * receipt, and many endpoints at once.
 */
export async function measureTriggers(server, api, seconds) {
  const receivers = await startReceivers(100);
  const rows = [];
  const quiet = await makeChannel(api);
  const plain = messageRequest(api, quiet.id, false);
  await generateLoad({ url: api.url, connections: 16, seconds: 2, request: () => plain }); // warm-up
  for (const endpoints of [1, 100]) {
    const channel = await makeTriggeredChannel(api, receivers.urls.slice(0, endpoints));
    for (const connections of endpoints === 1 ? [1, 16] : [1]) {
      const without = await generateLoad({
        url: api.url,
        connections,
        seconds: seconds / 2,
        request: () => plain,
      });
      const cpu = cpuSeconds(server.pid);
      const load = endpoints === 1 ? { seconds: seconds / 2 } : { count: 100 };
      const result = await triggerLoad({ api, channel, receivers, endpoints, connections, ...load });
      if (result.count < result.expected)
        throw new Error(`${result.expected} deliveries were due, but ${result.count} arrived.`);
      rows.push([
        `${endpoints} endpoints, ${connections} connections`,
        Math.round(without.rate),
        Math.round(result.posts.rate),
        ms(result.posts.p50),
        ms(result.posts.p99),
        result.count,
        Math.round(result.rate),
        ms(result.received.p50),
        ms(result.received.p99),
        Math.round(((cpuSeconds(server.pid) - cpu) / result.count) * 1e6),
      ]);
    }
  }
  await receivers.stop();
  table(
    [
      'messages that trigger',
      'posts/s without hook',
      'posts/s',
      'post p50 ms',
      'post p99 ms',
      'received',
      'deliveries/s',
      'to receipt p50 ms',
      'to receipt p99 ms',
      'CPU µs/delivery',
    ],
    rows,
  );
}

/** The effect of 10 hung endpoints on 90 healthy ones under a steady load. */
export async function measureIsolation(api, runs = 5) {
  const figures = { well: [], hung: [] };
  for (let run = 0; run < runs; run++) {
    figures.well.push(await steady(api, 0));
    figures.hung.push(await steady(api, 10));
  }
  const row = (title, list) => [
    title,
    ...['postP50', 'postP99', 'receiptP50', 'receiptP99', 'received'].map((name) =>
      name === 'received' ? median(list.map((one) => one[name])) : ms(median(list.map((one) => one[name]))),
    ),
  ];
  table(
    [
      `median of ${runs} runs`,
      'post p50 ms',
      'post p99 ms',
      'to receipt p50 ms',
      'to receipt p99 ms',
      'received by the 90',
    ],
    [row('100 endpoints well', figures.well), row('10 of 100 hung', figures.hung)],
  );
}

async function steady(api, hung) {
  const receivers = await startReceivers(100, hung);
  const channel = await makeTriggeredChannel(api, receivers.urls);
  const request = messageRequest(api, channel.id, true);
  const rest = 100 - hung;
  const post = (count) =>
    generateLoad({ url: api.url, connections: 1, count, request: () => request, pauseMs: 250 });
  await post(10); // opens the connections to the endpoints
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await receivers.stats();
  const posts = await post(60);
  let received = await receivers.stats();
  const counted = [received];
  for (let waited = 0; sum(counted) < 60 * rest && waited < 20_000; waited += 200) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    received = await receivers.stats();
    if (received.count > 0) counted.push(received);
  }
  const hooks = await api.call('GET', `/hooks/outgoing?channel_id=${channel.id}`);
  for (const hook of hooks) await api.call('DELETE', `/hooks/outgoing/${hook.id}`);
  await receivers.stop();
  const [largest] = counted.sort((a, b) => b.count - a.count);
  return {
    postP50: posts.p50,
    postP99: posts.p99,
    receiptP50: largest.p50,
    receiptP99: largest.p99,
    received: Math.round((sum(counted) / rest) * 90),
  };
}

function sum(parts) {
  return parts.reduce((total, { count }) => total + count, 0);
}
