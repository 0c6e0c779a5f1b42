/**
 * Receives the calls of an outgoing webhook with JSON bodies, and verifies their signatures. Needs Node.js 20 or newer.
 *
 *   HOOKLINE_SIGNING_SECRET=whsec_… PORT=3000 node receive.mjs
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { HOOKLINE_SIGNING_SECRET = '', PORT = '3000' } = process.env;
const KEY = Buffer.from(HOOKLINE_SIGNING_SECRET.replace(/^whsec_/, ''), 'base64');
const TOLERANCE_S = 300;
const MAX_BYTES = 1024 * 1024;

/** The scheme of Standard Webhooks. While secrets overlap, a call has several signatures. */
function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  const ageS = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!(ageS <= TOLERANCE_S)) return false;
  const expected = createHmac('sha256', KEY).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

createServer(async (request, response) => {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MAX_BYTES) return response.writeHead(413).end();
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (!isSigned(request.headers, body)) return response.writeHead(401).end();
  const { user_name: user, text } = JSON.parse(body.toString());
  console.log(`${request.headers['webhook-id']}: ${user} wrote ${text}`);
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ text: `Done, ${user}.` }));
}).listen(Number(PORT));
