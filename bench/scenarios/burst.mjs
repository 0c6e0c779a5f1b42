/**
 * `npm run bench -- --scenario=burst`: for ten seconds twice as many calls become due as the server can make, to 100
 * receivers. How long until none is left, and what that costs a post elsewhere.
 */
import { makeChannel } from '../channels.mjs';
import { generateLoad } from '../load.mjs';
import { login, makePlace, password, startHookline } from '../places.mjs';
import { makeTriggeredChannel, messageRequest, startReceivers, triggerLoad } from '../receivers.mjs';
import { jsonRequest, textOf } from '../requests.mjs';
import { median, ms, table } from '../table.mjs';

const endpoints = 100;
const bursts = 3;
const burstSeconds = 10;
const maximumSeconds = 5;
const quietSeconds = 10;
const elsewherePerSecond = 50;
const patienceMs = 300_000;
/** Of the ideal time, and of the p99 without a burst. */
const aims = { gone: 3, p99: 5 };

export async function measureBurst(database) {
  const place = await makePlace(database);
  const receivers = await startReceivers(endpoints);
  const server = await startHookline(place, { isProbed: false });
  try {
    const api = await login(server.url, 'admin', password);
    const loud = await makeTriggeredChannel(api, receivers.urls);
    const trigger = { url: api.url, request: messageRequest(api, loud.id), receivers, endpoints };
    const elsewhere = await prepareElsewhere(api);
    await triggerLoad({ ...trigger, connections: 4, seconds: 1 }); // warm-up
    const runs = [];
    for (let run = 0; run < bursts; run++) runs.push(await burst(trigger, elsewhere));
    const row = Object.fromEntries(
      Object.keys(runs[0]).map((name) => [name, median(runs.map((one) => one[name]))]),
    );
    const isMet = verdictsOf(row).every(([, isWithin]) => isWithin);
    const rows = [{ database: place.database, scenario: 'burst', ...row, isMet }];
    printBurst(rows);
    return rows;
  } finally {
    await Promise.all([server.stop(), receivers.stop()]);
    await place.remove();
  }
}

/**
 * Posts at a steady pace into a channel that triggers nothing, from another address: one address that uses up its places
 * waits for itself.
 */
async function prepareElsewhere(api) {
  const channel = await makeChannel(api);
  const hook = await api.call('POST', '/hooks/incoming', {
    channel_id: channel.id,
    display_name: 'Elsewhere',
  });
  const body = { text: textOf(200), username: 'build-bot' };
  const request = jsonRequest('POST', `${api.url}/hooks/${hook.id}`, body);
  return (seconds) =>
    generateLoad({
      url: api.url,
      from: '127.0.0.2',
      connections: 16,
      seconds,
      perSecond: elsewherePerSecond,
      request: () => request,
    });
}

async function burst(trigger, elsewhere) {
  const { rate: maximum } = await triggerLoad({ ...trigger, connections: 4, seconds: maximumSeconds });
  const quiet = await elsewhere(quietSeconds);
  const { receivers, url, request } = trigger;
  await receivers.stats();
  const startedAt = performance.timeOrigin + performance.now();
  const perSecond = (2 * maximum) / endpoints;
  const load = { url, connections: 16, seconds: burstSeconds, perSecond, request: () => request };
  const [posts, meanwhile] = await Promise.all([generateLoad(load), elsewhere(2 * burstSeconds)]);
  const due = posts.ok * endpoints;
  const goneAt = await whenAllArrived(receivers, due);
  const goneSeconds = (goneAt - startedAt) / 1000;
  const idealSeconds = Math.max(burstSeconds, due / maximum);
  return {
    rate: maximum,
    due,
    idealSeconds,
    goneSeconds,
    gone: goneSeconds / idealSeconds,
    quietP99: quiet.p99,
    p99: meanwhile.p99,
    p99Ratio: meanwhile.p99 / quiet.p99,
  };
}

/** When the last call of so many arrived. */
async function whenAllArrived(receivers, due) {
  for (let waited = 0; waited < patienceMs; waited += 100) {
    const { distinct, lastAt } = await receivers.peek();
    if (distinct >= due) return lastAt;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Of ${due} calls not all were made within ${patienceMs / 1000} s.`);
}

export function printBurst([row]) {
  console.log(`### A burst of calls on ${row.database}: the middle of ${bursts}\n`);
  table(
    [
      'calls/s at most',
      'due',
      'gone after s',
      'ideal s',
      'ratio',
      'post elsewhere p99 ms',
      'without a burst',
      'ratio',
    ],
    [
      [
        ...[Math.round(row.rate), row.due, ms(row.goneSeconds), ms(row.idealSeconds), ms(row.gone)],
        ...[ms(row.p99), ms(row.quietP99), ms(row.p99Ratio)],
      ],
    ],
  );
  for (const [what, isMet, aim] of verdictsOf(row))
    console.log(`- ${isMet ? 'PASS' : 'FAIL'}: ${what}; the aim is ${aim} ×.`);
  console.log();
}

function verdictsOf({ gone, p99Ratio }) {
  return [
    [`the backlog is gone after ${ms(gone)} × its ideal time`, gone <= aims.gone, aims.gone],
    [`the p99 of a post elsewhere is ${ms(p99Ratio)} × its quiet one`, p99Ratio <= aims.p99, aims.p99],
  ];
}
