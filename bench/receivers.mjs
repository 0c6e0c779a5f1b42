/** Receivers of webhooks in a separate process, and the messages that call them. */
import { makeChannel } from './channels.mjs';
import { generateLoad } from './load.mjs';
import { startProcess } from './processes.mjs';
import { apiRequest, textOf } from './requests.mjs';

const word = '!deploy';
const URLS_PER_HOOK = 20;

/** The last `hung` endpoints never respond; the `failing` ones before them respond with 500. */
export async function startReceivers(endpoints, { hung = 0, failing = 0 } = {}) {
  const started = await startProcess(
    process.execPath,
    ['bench/receiver.mjs', ...[endpoints, hung, failing].map(String)],
    {
      ready: (output) => (output.includes('\n') ? JSON.parse(output) : undefined),
    },
  );
  const urls = started.value.ports.map((port) => `http://127.0.0.1:${port}/`);
  const read = async (path) => (await fetch(`${urls[0]}${path}`)).json();
  return { urls, stats: () => read('stats'), peek: () => read('peek'), stop: started.stop };
}

/** Creates a channel whose trigger word calls these URLs. */
export async function makeTriggeredChannel(api, urls) {
  const channel = await makeChannel(api);
  for (let start = 0; start < urls.length; start += URLS_PER_HOOK) {
    await api.call('POST', '/hooks/outgoing', {
      team_id: channel.team_id,
      channel_id: channel.id,
      display_name: 'Bench',
      trigger_words: [word],
      callback_urls: urls.slice(start, start + URLS_PER_HOOK),
      content_type: 'application/json',
    });
  }
  return channel;
}

export const triggerMessage = `${word} ${textOf(190)}`;

/** A request that posts a message with the trigger word. */
export function messageRequest(api, channelId) {
  return apiRequest(api, 'POST', '/posts', { channel_id: channelId, message: triggerMessage });
}

/** Posts messages, waits until all calls have arrived, and returns the figures of posting and receiving. */
export async function triggerLoad({ url, request, receivers, endpoints, ...load }) {
  await receivers.stats();
  const startedAt = performance.timeOrigin + performance.now();
  const posts = await generateLoad({ url, request: () => request, ...load });
  const due = posts.ok * endpoints;
  const total = { count: 0, lastAt: 0 };
  const parts = [];
  for (let waited = 0; total.count < due && waited < 60_000; waited += 100) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const part = await receivers.stats();
    if (part.count === 0) continue;
    parts.push(part);
    total.count += part.count;
    total.lastAt = part.lastAt;
  }
  if (total.count < due) throw new Error(`${due} deliveries were due, but ${total.count} arrived.`);
  const received = parts.sort((a, b) => b.count - a.count)[0] ?? {};
  return {
    ...posts,
    ok: total.count,
    rate: total.count / ((total.lastAt - startedAt) / 1000),
    receiptP50: received.p50,
    receiptP99: received.p99,
  };
}

/** Waits until this number of calls has arrived or the time is up, and returns the figures. */
export async function arrivals(receivers, expected, patienceMs) {
  for (let waited = 0; ; waited += 200) {
    const received = await receivers.peek();
    if (received.count >= expected || waited > patienceMs) return received;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
