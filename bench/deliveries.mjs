/** Measures outgoing webhooks, from the message to the receipt of the call. */
import { makeChannel } from './channels.mjs';
import { generateLoad, httpRequest } from './load.mjs';
import { cpuSeconds, startProcess } from './processes.mjs';
import { median, ms, table } from './table.mjs';

const word = '!deploy';
/** OUTGOING_CONCURRENCY, unless it is set otherwise. */
const callsInAll = 256;
/** How much longer the p99 of healthy endpoints may be while others hang. */
const allowedSlowdown = 0.25;
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
  const read = async (path) => (await fetch(`${urls[0]}${path}`)).json();
  return { urls, stats: () => read('stats'), peek: () => read('peek'), stop: started.stop };
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

/**
 * What 10 hung endpoints of 100, for which more is due than calls are allowed in all, cost the healthy ones: these still
 * receive everything, and their p99 is at most a quarter above that of a run in which all are well. The two kinds of
 * runs alternate, so that a slow spell of the machine falls on both. Returns whether that holds.
 */
export async function measureIsolation(api, runs = 5) {
  const figures = { well: [], hung: [] };
  for (let run = 0; run < runs; run++) {
    const kinds = [
      ['well', 0],
      ['hung', 10],
    ];
    for (const [kind, hung] of run % 2 ? kinds.reverse() : kinds) figures[kind].push(await steady(api, hung));
  }
  const middle = (list, name) => median(list.map((one) => one[name]));
  const row = (title, list) => [
    title,
    ...['postP50', 'postP99', 'receiptP50', 'receiptP99'].map((name) => ms(middle(list, name))),
    ...['missing', 'due'].map((name) => Math.max(...list.map((one) => one[name]))),
  ];
  table(
    [
      `median of ${runs} runs`,
      'post p50 ms',
      'post p99 ms',
      'to receipt p50 ms',
      'to receipt p99 ms',
      'not received by healthy ones',
      'due before',
    ],
    [row('100 endpoints well', figures.well), row('10 of 100 hung', figures.hung)],
  );
  const [well, hung] = [middle(figures.well, 'receiptP99'), middle(figures.hung, 'receiptP99')];
  const isSlower = hung > well * (1 + allowedSlowdown);
  const isIsolated = !isSlower && [...figures.well, ...figures.hung].every(({ missing }) => missing === 0);
  console.log(
    `${isIsolated ? 'PASS' : 'FAIL'}: with hung endpoints the healthy ones receive with a p99 of ${ms(hung)} ms, without them ` +
      `of ${ms(well)} ms; ${ms((hung / well) * 100)} % of it, and ${(1 + allowedSlowdown) * 100} % is allowed.\n`,
  );
  return isIsolated;
}

async function steady(api, hung) {
  const receivers = await startReceivers(100, hung);
  const channel = await makeTriggeredChannel(api, receivers.urls);
  const request = messageRequest(api, channel.id, true);
  const rest = 100 - hung;
  const post = (count, pauseMs) =>
    generateLoad({ url: api.url, connections: 1, count, request: () => request, pauseMs });
  // Opens the connections to the endpoints, and makes more due for hung ones than calls are allowed in all.
  const before = Math.ceil((1.2 * callsInAll) / 10);
  await post(before, 100);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await arrivals(receivers, before * rest);
  await receivers.stats();
  const due = await openDeliveries(api);
  if (hung > 0 && due <= callsInAll) throw new Error(`Only ${due} calls are due to the hung endpoints.`);
  const posts = await post(60, 250);
  const received = await arrivals(receivers, 60 * rest);
  const hooks = await api.call('GET', `/hooks/outgoing?channel_id=${channel.id}`);
  for (const hook of hooks) await api.call('DELETE', `/hooks/outgoing/${hook.id}`);
  await receivers.stop();
  return {
    postP50: posts.p50,
    postP99: posts.p99,
    receiptP50: received.p50,
    receiptP99: received.p99,
    missing: 60 * rest - received.count,
    due,
  };
}

/** Waits until so many calls have arrived, or no longer, and gives the figures. */
async function arrivals(receivers, expected) {
  for (let waited = 0; ; waited += 200) {
    const received = await receivers.peek();
    if (received.count >= expected || waited > 20_000) return received;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function openDeliveries(api) {
  const metrics = await (await fetch(`${api.url}/metrics`)).text();
  return Number(/^hookline_deliveries_open (\S+)/m.exec(metrics)?.[1]);
}
