import { tooManyStartedByOthers, tooManyChannelsOfUser } from '../../messaging/channels/channels.errors.js';
import { decodePayload } from '../payload/payload-decoder.js';
import { PayloadError } from '../payload/payload-forms.js';
import { failures, payloadUndecodable } from './execution.errors.js';

const FORM = 'application/x-www-form-urlencoded';

async function messageFor(body: string, contentType?: string): Promise<string> {
  try {
    await decodePayload({ body: Buffer.from(body), contentType });
  } catch (error) {
    if (error instanceof PayloadError) return payloadUndecodable(error, false).message;
  }
  throw new Error('the payload was accepted');
}

describe('the 400 for a payload that cannot be decoded', () => {
  it.each(['{"text":"hi"}', ' \n[1]', '"hi"'])(
    'explains how to send %j as JSON instead of a form',
    async (body) => {
      expect(await messageFor(body, FORM)).toBe(
        'Invalid webhook payload: payload is missing. To send JSON, add the header Content-Type: application/json',
      );
    },
  );

  it.each([
    ['text=hi', FORM, 'payload is missing. A form has JSON in its field payload'],
    ['payload=%', FORM, 'a % that does not start an escape. Encode the field'],
    [
      'payload={"text":"hi"}',
      'application/json',
      'add the header Content-Type: application/x-www-form-urlencoded',
    ],
    ['', undefined, 'empty JSON text. Send a JSON object such as {"text":"Hello"}'],
    ['{"text":"hi', undefined, 'Send a JSON object such as {"text":"Hello"}'],
    ['[]', undefined, 'the payload must be an object'],
    ['{"text":1}', undefined, 'text must be a string'],
    ['{"text":"\\u0000"}', undefined, 'NUL character in text. Send the text without it.'],
    ['['.repeat(101), undefined, 'deeper than 100 levels. Nest the objects less deeply.'],
    ['{}', 'a b', 'malformed media type. To send JSON, add the header'],
    ['{}', 'application/json; charset=klingon', 'unknown charset "klingon". To send JSON'],
    [
      'payload={"text":"a & b"}',
      'application/x-www-form-urlencoded',
      'The form field payload ends at the first & that is not encoded',
    ],
    ['x', 'multipart/form-data', 'the boundary is missing or too long. Send at most 50 fields as text'],
    [
      '--x\r\nContent-Disposition: form-data; name="note"\r\n\r\nhi\r\n--x--\r\n',
      'multipart/form-data; boundary=x',
      'unknown part "note". The parts are text, username,',
    ],
  ])('explains %j as %s', async (body, contentType, words) => {
    expect(await messageFor(body, contentType)).toContain(words);
  });
});

describe('errors about a decoded payload', () => {
  const all = {
    ...failures,
    unknownBlocks: () => failures.unknownBlocks(['table']),
    template: () => failures.template('x'),
  };
  const messages = Object.entries(all)
    .map(([cause, make]) => ({ cause, error: make() }))
    .filter(({ error }) => error.status < 500)
    .map(({ cause, error }) => [cause, error.message] as const);

  it.each(messages)('explain what is valid: %s', (_, message) => {
    expect(message).toMatch(/ must |[.,] (Send|Check|Restore|Shorten|Create|Omit|Let|or set) /);
  });

  it.each([
    ['channels', tooManyChannelsOfUser(5)],
    ['direct and group channels', tooManyStartedByOthers('all', 5)],
    ['direct channels', tooManyStartedByOthers('webhook', 5)],
  ])('explain that an account has no room for %s', (_, { message }) => {
    expect(message).toMatch(/already in 5 .+; (leave|use) .+, or (raise|let) /);
  });
});
