import { encodePayload, type Payload, payloadOf } from './payload.js';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const TOKEN = 'ttttttttttttttttttttttttto';
const PAYLOAD: Payload = {
  team_id: 'm4agnt8dxtywdgcmo9nwx5kk8w',
  team_domain: 'dev',
  channel_id: 'gqsr16q5bj8ikq9dsu7mzp3acy',
  channel_name: 'town-square',
  timestamp: 123_999,
  user_id: 'o1sd3xnpxjbwbyyhf9amnzpzyh',
  user_name: 'ada',
  post_id: 'p4s8c9dzqjn7bfxq1bxkz5hz8w',
  text: 'deploy now',
  trigger_word: 'deploy',
  file_ids: 'f1,f2',
};
const encode = (type: string, fields: Partial<Payload> = {}): string =>
  encodePayload(type, TOKEN, { ...PAYLOAD, ...fields });
/** The form field as sent on the wire. */
const formText = (text: string): string | undefined =>
  /&text=([^&]*)&/.exec(encode(FORM_TYPE, { text }))?.[1];
/** The JSON string as sent on the wire. */
const jsonText = (text: string): string | undefined =>
  /"text":("[^]*?"),"trigger_word"/.exec(encode(JSON_TYPE, { text }))?.[1];

/** docs/contract/outgoing-webhooks.md#payload. */
describe('the payload of a delivery', () => {
  it('has all keys, even empty ones', () => {
    const empty = { text: '', trigger_word: '', file_ids: '' };
    expect(encode(FORM_TYPE, empty)).toMatch(/&file_ids=&.*&text=&.*&trigger_word=&/);
    expect(encode(JSON_TYPE, empty)).toMatch(/"text":"","trigger_word":"","file_ids":""}$/);
  });

  it('keeps the order of the contract if the database sorts its keys', () => {
    const sorted = Object.fromEntries(Object.entries(PAYLOAD).sort(([a], [b]) => (a < b ? -1 : 1)));
    expect(encodePayload(JSON_TYPE, TOKEN, sorted)).toBe(encode(JSON_TYPE));
    expect(JSON.stringify(payloadOf(sorted))).toBe(JSON.stringify(PAYLOAD));
  });

  it.each([
    ['unreserved stay', 'AZaz09-_.~', 'AZaz09-_.~'],
    ['space', 'a b', 'a+b'],
    ['plus', 'a+b', 'a%2Bb'],
    ['characters that JavaScript does not escape', "!'()*", '%21%27%28%29%2A'],
    [
      'the rest of ASCII',
      '"#$%&,/:;<=>?@[\\]^`{|}',
      '%22%23%24%25%26%2C%2F%3A%3B%3C%3D%3E%3F%40%5B%5C%5D%5E%60%7B%7C%7D',
    ],
    ['controls', '\t\r\n\u007f', '%09%0D%0A%7F'],
    ['UTF-8', 'é部👍', '%C3%A9%E9%83%A8%F0%9F%91%8D'],
    ['half an emoji', 'a\ud83db', 'a%EF%BF%BDb'],
  ])('form: %s', (_, text, expected) => {
    expect(formText(text)).toBe(expected);
  });

  it.each([
    ['quotes and backslash', '"\\/', '"\\"\\\\/"'],
    ['short escapes', '\b\f\n\r\t', '"\\b\\f\\n\\r\\t"'],
    ['other controls', '\u0001\u001f\u007f', '"\\u0001\\u001f\u007f"'],
    ['HTML characters, as the peer escapes them', '<a&b>', '"\\u003ca\\u0026b\\u003e"'],
    ['line separators, as the peer escapes them', '\u2028\u2029', '"\\u2028\\u2029"'],
    ['everything else unchanged', 'é部👍', '"é部👍"'],
    ['half an emoji', 'a\ud83db', '"a\ufffdb"'],
  ])('JSON: %s', (_, text, expected) => {
    expect(jsonText(text)).toBe(expected);
  });
});
