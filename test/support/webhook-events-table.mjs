/**
 * Generates the table of events in docs/contract/outgoing-webhooks.md with the code that builds their payloads.
 * `node test/support/webhook-events-table.mjs` checks whether it is up to date, and `--write` updates it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { unformatted } from '../../scripts/generated-table.mjs';
import { root } from '../../scripts/prepare.mjs';

const require = createRequire(import.meta.url);
const PAGE = path.join(root, 'docs', 'contract', 'outgoing-webhooks.md');
const TABLE = /(?<=<!-- webhook events -->\n)[^]*(?=<!-- end of webhook events -->)/;

process.env.DATABASE_URL = ''; // column types follow it
require('../../scripts/typescript.cjs').install();
const { WHEN, TRIGGERED } = require('../../src/outgoing-hooks/events/hook-events.ts');
const { sampleEvent } = require('../../src/outgoing-hooks/events/event-samples.ts');
const { payloadOf } = require('../../src/outgoing-hooks/delivery/payload.ts');

const direct = {
  id: 'w5cyxcrbqfbpjn1u8d1ifrthqo',
  name: 'o1sd3xnpxjbwbyyhf9amnzpzyh__q8h3mcbx5jyg8xr3scj54wm4dw',
};
const facts = {
  moment: {
    eventId: 'k7e9d4ysybgrfxg6oqbx8e1w4r',
    at: 1764633600000,
    team: { id: 'm4agnt8dxtywdgcmo9nwx5kk8w', name: 'core' },
  },
  channel: { id: 'gqsr16q5bj8ikq9dsu7mzp3acy', name: 'deployments' },
  user: { id: 'o1sd3xnpxjbwbyyhf9amnzpzyh', username: 'ada' },
  post: { id: 'x9o7dhmz8f8zzrcsrwh3fpuxbe', rootId: '', message: 'It is live.' },
  botId: 'q8h3mcbx5jyg8xr3scj54wm4dw',
  hook: { id: 'b1f8zcm5wtd5jfzn8u5fxpbkje', displayName: 'Deployer' },
  connection: { id: 'h3q6j8pd7tbnzgx1w4kqy5rmne', name: 'Porto' },
};

function exampleOf(event) {
  if (event === TRIGGERED) return '[the stock payload](#payload)';
  const isDirect = event === 'bot.direct_message';
  const team = isDirect ? { id: '', name: '' } : facts.moment.team;
  const about = { ...facts, moment: { ...facts.moment, team }, channel: isDirect ? direct : facts.channel };
  const payload = payloadOf({ token: 'yqb6mu8o9fbzmfbs8xnhumqsnw', ...sampleEvent(event, about) });
  return `\`${JSON.stringify(payload)}\``;
}

const rows = Object.entries(WHEN).map(([event, when]) => [`\`${event}\``, when, exampleOf(event)]);
const header = ['Event', 'When', 'Example'];
const page = readFileSync(PAGE, 'utf8');
if (!TABLE.test(page)) throw new Error(`${PAGE} has no place for the table of events.`);
const expected = page.replace(TABLE, () => unformatted([header, header.map(() => '---'), ...rows]));

if (process.argv.includes('--write')) {
  writeFileSync(PAGE, expected);
} else if (expected !== page) {
  console.error(
    `The table of events in ${PAGE} is out of date: node test/support/webhook-events-table.mjs --write`,
  );
  process.exitCode = 1;
}
