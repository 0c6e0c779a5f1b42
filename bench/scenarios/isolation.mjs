/** Measures whether hung endpoints slow down the others. */
import { generateLoad } from '../load.mjs';
import { arrivals, makeTriggeredChannel, messageRequest, startReceivers } from '../receivers.mjs';
import { median, ms, table } from '../table.mjs';

/** The default of OUTGOING_CONCURRENCY. */
const totalCalls = 256;
const PATIENCE_MS = 20_000;
/** How much longer the p99 of healthy endpoints may be while others hang. */
const allowedSlowdown = 0.25;

/**
 * Measures how 10 hung endpoints out of 100 affect the healthy ones, while more deliveries to hung ones are due than
 * calls may run at once. The healthy ones must receive everything, with a p99 at most a quarter above that of runs
 * without hung endpoints. Both kinds of runs alternate, so that a slow phase of the machine affects both. Returns
 * whether the target is met.
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
    [row('100 healthy endpoints', figures.well), row('10 of 100 hung', figures.hung)],
  );
  const [well, hung] = [middle(figures.well, 'receiptP99'), middle(figures.hung, 'receiptP99')];
  const isSlower = hung > well * (1 + allowedSlowdown);
  const isIsolated = !isSlower && [...figures.well, ...figures.hung].every(({ missing }) => missing === 0);
  console.log(
    `${isIsolated ? 'PASS' : 'FAIL'}: the p99 of healthy endpoints is ${ms(hung)} ms next to hung ones, and ` +
      `${ms(well)} ms without: ${ms((hung / well) * 100)} %, of at most ${(1 + allowedSlowdown) * 100} %.\n`,
  );
  return isIsolated;
}

async function steady(api, hung) {
  const receivers = await startReceivers(100, { hung });
  const channel = await makeTriggeredChannel(api, receivers.urls);
  const request = messageRequest(api, channel.id);
  const rest = 100 - hung;
  const post = (count, pauseMs) =>
    generateLoad({ url: api.url, connections: 1, count, request: () => request, pauseMs });
  // Opens the connections to the endpoints, and makes more due for hung ones than the total number of calls.
  const before = Math.ceil((1.2 * totalCalls) / 10);
  await post(before, 100);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await arrivals(receivers, before * rest, PATIENCE_MS);
  await receivers.stats();
  const due = await openDeliveries(api);
  if (hung > 0 && due <= totalCalls) throw new Error(`Only ${due} calls are due to the hung endpoints.`);
  const posts = await post(60, 250);
  const received = await arrivals(receivers, 60 * rest, PATIENCE_MS);
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

async function openDeliveries(api) {
  const metrics = await (await fetch(`${api.url}/metrics`)).text();
  return Number(/^hookline_deliveries_open (\S+)/m.exec(metrics)?.[1]);
}
