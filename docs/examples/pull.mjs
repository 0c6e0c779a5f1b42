/**
 * Pulls the deliveries of an outgoing webhook and answers each in its channel. Needs Node.js 20 or newer.
 *
 *   HOOKLINE_URL=https://chat.example.com HOOKLINE_HOOK=ID HOOKLINE_TOKEN=TOKEN node pull.mjs
 */
import { setTimeout as sleep } from 'node:timers/promises';

const { HOOKLINE_URL, HOOKLINE_HOOK, HOOKLINE_TOKEN } = process.env;
const hook = `${HOOKLINE_URL}/api/v4/hooks/outgoing/${HOOKLINE_HOOK}`;

async function post(route, body) {
  const response = await fetch(`${hook}/${route}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${HOOKLINE_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${route}: HTTP ${response.status} ${await response.text()}`);
  return response.json();
}

/** Your work. `webhook-id` stays the same when a delivery is repeated, so use it to recognize repetitions. */
async function handle(id, { user_name: user, text }) {
  console.log(`${id}: ${user} wrote ${text}`);
  return { text: `Done, ${user}.` };
}

for (;;) {
  try {
    const { deliveries } = await post('pull', { limit: 10, wait: '30s', lease: '60s' });
    for (const { lease_id: lease, headers, body } of deliveries) {
      try {
        const reply = await handle(headers['webhook-id'], JSON.parse(body));
        await post('ack', { lease_ids: [lease], replies: { [lease]: { body: JSON.stringify(reply) } } });
      } catch (error) {
        console.error(error);
        await post('nack', { lease_ids: [lease] });
      }
    }
  } catch (error) {
    console.error(error.message);
    await sleep(5_000);
  }
}
