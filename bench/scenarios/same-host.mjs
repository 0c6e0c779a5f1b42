/** Measures whether hung paths slow down other webhooks on their host. */
import { generateLoad } from '../load.mjs';
import { arrivals, makeTriggeredChannel, messageRequest, startReceivers } from '../receivers.mjs';
import { ms, table } from '../table.mjs';

const MESSAGES = 14;
/** Deliveries already due for each hanging path. */
const MESSAGES_BEFORE = 60;
/** Longer than the timeout of a call. */
const PATIENCE_MS = 60_000;
const allowedP99Ms = 1_000;

/** One webhook that responds, on a host where `hung` others never do. Returns whether all calls arrive in time. */
export async function measureSameHost(api) {
  const rows = [];
  for (const hung of [0, 1, 10]) rows.push({ hung, ...(await withHung(api, hung)) });
  table(
    ['same host', 'received', 'to receipt p50 ms', 'to receipt p99 ms'],
    rows.map(({ hung, count, p50, p99 }) => [
      hung === 0 ? 'one webhook' : `with ${hung} hung`,
      `${count} of ${MESSAGES}`,
      ...[p50, p99].map((value) => (value === null ? '–' : ms(value))),
    ]),
  );
  const areAllReceived = rows.every(({ count, p99 }) => count === MESSAGES && p99 <= allowedP99Ms);
  console.log(
    `${areAllReceived ? 'PASS' : 'FAIL'}: a webhook receives within ${allowedP99Ms} ms, no matter what hangs on its host.\n`,
  );
  return areAllReceived;
}

async function withHung(api, hung) {
  const receivers = await startReceivers(1);
  const [origin] = receivers.urls;
  const post = (channel, count, pauseMs) => {
    const request = messageRequest(api, channel.id);
    return generateLoad({ url: api.url, connections: 1, count, request: () => request, pauseMs });
  };
  const channels = [];
  for (let index = 0; index < hung; index++)
    channels.push(await makeTriggeredChannel(api, [`${origin}hung/${index}`]));
  for (const channel of channels) await post(channel, MESSAGES_BEFORE, 0);
  const well = await makeTriggeredChannel(api, [`${origin}well`]);
  channels.push(well);
  await post(well, MESSAGES, 250);
  const received = await arrivals(receivers, MESSAGES, PATIENCE_MS);
  for (const channel of channels)
    for (const hook of await api.call('GET', `/hooks/outgoing?channel_id=${channel.id}`))
      await api.call('DELETE', `/hooks/outgoing/${hook.id}`);
  await receivers.stop();
  return received;
}
