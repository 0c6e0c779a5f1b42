/** What endpoints that fail cost a server with a large database, and what they cost others. */
import { makeTriggeredChannel, messageRequest, startReceivers, triggerLoad } from '../receivers.mjs';
import { openDatabase } from '../fill/database.mjs';
import { cpuSeconds } from '../processes.mjs';
import { makeOutgoing } from '../fill/models.mjs';
import { run } from '../fill/grown.mjs';
import { judged } from './growth-rows.mjs';

const refusedSeconds = 20;
/** Of one core: more than that, and the server still does what the load has left. */
const idleShare = 0.02;
/** Of one core. */
const aimOfRefused = 0.05;
const firstAttempts = { connections: 4, perSecond: 25, seconds: 8 };
/** First attempts elsewhere, beside what nobody answers and beside calls that are made. */
const unharmed = { p50: 1.5, p99: 2 };
const besideCalls = { p50: 2, p99: 5 };
const outbreak = 1_000;
/** About as long as the server takes to note that so many have failed. */
const outbreakSeconds = 3;
const outbreakWord = 'outbreak';

/**
 * Half of all open deliveries are due at once: at an address that refuses, and at one that answers 500. Then many endpoints
 * begin to fail. Ends with no server running.
 */
export async function measureFailures(large) {
  const receivers = await startReceivers(2, { failing: 1 });
  const [url, failingUrl] = receivers.urls;
  try {
    const channel = await makeTriggeredChannel(large.api, [url]);
    await waitUntilIdle(large.server);
    await large.server.stop();
    const count = large.size.open / 2;
    const attempts = () => afterStart(large, () => attemptsTo(receivers, large.api, channel));
    const share = () => afterStart(large, () => shareLater(large.server));

    const quiet = { share: await share(), attempts: await attempts() };
    await makeDue(large);
    const refused = { share: await share() };
    await makeDue(large);
    refused.attempts = await attempts();
    await makeDue(large, failingUrl);
    const failing = await attempts();
    return [
      shareRow(`${count} deliveries due at an address that refuses: share of a core`, refused, quiet),
      judged(
        `first attempts beside ${count} due at an address that refuses`,
        unharmed,
        quiet.attempts,
        refused.attempts,
      ),
      judged(`first attempts beside ${count} that are answered 500`, besideCalls, quiet.attempts, failing),
      await measureOutbreak(large, receivers),
    ];
  } finally {
    await receivers.stop();
  }
}

/** Beside what the server spends anyway after such a start, as it packs posts for searches whenever there is time. */
function shareRow(operation, { share }, { share: without }) {
  const aim = { share: aimOfRefused };
  return { operation, aim, share, without, isMet: share - without <= aimOfRefused };
}

/** Messages that call an endpoint each, one after the other, while a thousand other endpoints of the team begin to fail. */
async function measureOutbreak(large, receivers) {
  const env = { ALLOWED_INTERNAL_HOSTS: '127.0.0.0/8', OUTGOING_PER_MESSAGE: String(outbreak) };
  return afterStart(
    large,
    async () => {
      const { api, models } = large;
      const channel = { team_id: models.team, name: 'growth-outbreak', display_name: 'Outbreak', type: 'O' };
      const { id } = await api.call('POST', '/channels', channel);
      const place = [api, models.team, id];
      await makeOutgoing(...place, [receivers.urls[0]], '!deploy');
      for (let n = 0; n < outbreak; n++)
        await makeOutgoing(...place, [`http://127.0.${1 + (n >> 8)}.${n & 255}:1/`], outbreakWord);
      const load = { connections: 1, seconds: outbreakSeconds, endpoints: 1 };
      const post = () => triggerLoad({ url: api.url, request: messageRequest(api, id), receivers, ...load });
      await post(); // warm-up
      const quiet = await post();
      const message = { channel_id: id, message: outbreakWord };
      const [meanwhile] = await Promise.all([post(), api.call('POST', '/posts', message)]);
      const what = `trigger post while ${outbreak} endpoints begin to fail`;
      const row = judged(what, besideCalls, quiet, meanwhile);
      const [rate, rateOfQuiet] = [meanwhile, quiet].map(({ ok, seconds }) => ok / seconds);
      return { ...row, rate, rateShare: rate / rateOfQuiet };
    },
    env,
  );
}

/** The times from a message to the receipt of its call. */
async function attemptsTo(receivers, api, channel) {
  const request = messageRequest(api, channel.id);
  const figures = await triggerLoad({ url: api.url, request, receivers, endpoints: 1, ...firstAttempts });
  return { p50: figures.receiptP50, p99: figures.receiptP99, failed: figures.failed };
}

/** What is measured on a server that has just been started, and is stopped afterwards. */
async function afterStart(large, work, env = {}) {
  await run(large, env);
  const result = await work();
  await large.server.stop();
  return result;
}

/** Makes half of all open deliveries due, at another URL if there is one. */
async function makeDue({ place, models }, url) {
  const database = await openDatabase(place.yardstick);
  const open = `owner_id = ? AND status IN ('pending', 'retrying')`;
  const now = Date.now();
  await database.run(`UPDATE deliveries SET next_attempt_at = ? WHERE ${open}`, [now, models.refused]);
  if (url !== undefined) {
    const { origin } = new URL(url);
    const urls = JSON.stringify([url]);
    await database.run('UPDATE outgoing_webhooks SET callback_urls = ? WHERE id = ?', [urls, models.refused]);
    await database.run(`UPDATE deliveries SET url = ?, lane = ? WHERE ${open}`, [
      url,
      origin,
      models.refused,
    ]);
  }
  await database.dropOwnTables();
  await database.close();
}

/** Posts are packed for searches in the background: until that is done, ten minutes at most. */
async function waitUntilIdle(server) {
  for (let tries = 0; tries < 60; tries++) if ((await shareOf(server, 10)) < idleShare) return;
}

/** Of a core, for a while from five seconds after the start. */
async function shareLater(server) {
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  return shareOf(server, refusedSeconds);
}

async function shareOf(server, seconds) {
  const before = cpuSeconds(server.pid);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  return (cpuSeconds(server.pid) - before) / seconds;
}
