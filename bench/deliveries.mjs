/** Outgoing webhooks: from a message to the receipt by the program that waits for it. */
import { generateLoad, httpRequest } from './load.mjs';
import { startProcess } from './processes.mjs';

const word = '!deploy';
const chatter = 'Build 812 of the main branch is green: 1204 tests passed in 8 minutes. '
  .repeat(3)
  .slice(0, 190);

/** Receivers of webhooks in a process of their own. */
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

/** A channel whose messages with the trigger word go to these URLs, at most 20 for each hook. */
export async function makeTriggeredChannel(api, urls) {
  const channel = await api.makeChannel();
  for (let start = 0; start < urls.length; start += 20) {
    await api.post('/hooks/outgoing', {
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

/** A request that writes a message. */
export function messageRequest(api, channelId, isTrigger) {
  const message = isTrigger ? `${word} ${chatter}` : chatter;
  return httpRequest({
    method: 'POST',
    url: `${api.url}/api/v4/posts`,
    headers: { Authorization: `Bearer ${api.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ channel_id: channelId, message }),
  });
}

/** Writes trigger messages, waits until each has arrived as often as it must, and gives both sides' figures. */
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
