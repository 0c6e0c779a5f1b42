import { normaliseAttachments } from '../../messaging/posts/content/attachments.js';
import { MAX_JSON_DEPTH } from '../../platform/common/json.js';
import { decodeChange, decodePayload, type IncomingPayload } from './payload-decoder.js';
import { MAX_PARTS, PayloadError } from './payload-forms.js';

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const BOUNDARY = 'xYzZY';
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;
const DATA = 'model.incoming_hook.parse_data.app_error';
const MEDIA_TYPE = 'web.incoming_webhook.media_type.app_error';
const IN_FORM = 'web.incoming_webhook.parse_form.app_error';
const IN_PARTS = 'web.incoming_webhook.parse_multipart.app_error';
const EMPTY: IncomingPayload = {
  ...{ text: '', channel: '', username: '', iconUrl: '', iconEmoji: '', type: '' },
  ...{ attachments: undefined, props: undefined },
};

const decode = async (body: string | Buffer, contentType?: string, queryPayload?: string) =>
  decodePayload({ body: Buffer.from(body), contentType, queryPayload });
const decodeJson = (document: unknown) => decode(JSON.stringify(document), JSON_TYPE);
const form = (payload: string) => `payload=${encodeURIComponent(payload)}`;
const part = (name: string, value: string, more = '') =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const multipart = (...parts: string[]) => `${parts.join('')}--${BOUNDARY}--\r\n`;
const fields = (values: Record<string, string>) =>
  multipart(...Object.entries(values).map(([name, value]) => part(name, value)));

/** With attachments as they are posted. */
const converted = (payload: IncomingPayload) => ({
  ...payload,
  attachments: normaliseAttachments(payload.attachments),
});

async function refusalOf(payload: Promise<unknown>): Promise<PayloadError> {
  const refusal: unknown = await payload.catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(PayloadError);
  return refusal as PayloadError;
}

describe('JSON payload', () => {
  it('is read synchronously', () => {
    const payload = decodePayload({ contentType: JSON_TYPE, body: Buffer.from('{"text":"hi"}') });
    expect(payload).toStrictEqual({ ...EMPTY, text: 'hi' });
  });

  it('is validated but not converted, because the webhook may not exist', async () => {
    const given = {
      text: '<https://example.com|label>',
      attachments: [null, { Text: '<!here>', fields: [{ value: 1e300 }], actions: [{ name: 'x' }] }],
      props: { from_bot: 1 },
    };
    expect(await decodeJson(given)).toStrictEqual({ ...EMPTY, ...given });
  });

  it('carries every field of the contract and ignores the others', async () => {
    const same = {
      text: 'text',
      channel: '#town-square',
      username: 'bot',
      type: 'custom_x',
      props: { a: [1] },
    };
    const payload = await decodeJson({
      ...same,
      icon_url: 'https://host/i.png',
      icon_emoji: ':smile:',
      attachments: [null, { text: 'a', fields: [null, { title: 't', value: 1, short: 'TRUE' }] }],
      priority: { priority: 'urgent', requested_ack: true, persistent_notifications: false, more: 1 },
      blocks: [],
      ...{ link_names: 1, unfurl_links: true, thread_ts: '1', metadata: {} },
    });
    expect(converted(payload)).toMatchObject({
      ...same,
      iconUrl: 'https://host/i.png',
      iconEmoji: ':smile:',
      attachments: [{ text: 'a', fields: [{ title: 't', value: '1', short: true }] }],
    });
    const priority = { priority: 'urgent', requested_ack: true, persistent_notifications: false };
    expect(payload.priority).toStrictEqual(priority);
  });

  it.each([
    [{ text: null, channel: null, attachments: null, props: null, type: null, priority: null }, {}],
    [{ attachments: [] }, {}],
    [{ attachments: [null] }, {}],
    [{ priority: { priority: null } }, { priority: {} }],
    [
      { TEXT: 'a', Icon_Url: 'b', Priority: { PRIORITY: 'c' } },
      { text: 'a', iconUrl: 'b', priority: { priority: 'c' } },
    ],
  ])('reads %j as %j', async (document, expected) => {
    expect(await decodeJson(document)).toStrictEqual({ ...EMPTY, ...expected });
  });

  it.each([
    [{ text: 5 }, 'text must be a string'],
    [{ icon_url: {} }, 'icon_url must be a string'],
    [{ props: [] }, 'props must be an object'],
    [{ attachments: {} }, 'attachments must be an array'],
    [{ attachments: [{ text: 1 }] }, 'attachments.0.text must be a string'],
    [{ attachments: [{ fields: [{ short: 'x' }] }] }, 'attachments.0.fields.0.short must be true or false'],
    [{ priority: 'urgent' }, 'priority must be an object'],
    [{ priority: { priority: 1 } }, 'priority.priority must be a string'],
    [{ priority: { requested_ack: 'yes' } }, 'priority.requested_ack must be true or false'],
    [{ text: 'a\0' }, 'NUL character in text'],
    [{ props: { 'a\0': 1 } }, 'NUL character in props.a\\u0000'],
    [['a'], 'the payload must be an object'],
    [null, 'the payload must be an object'],
  ])('refuses %j naming the field', async (document, detail) => {
    expect(await refusalOf(decodeJson(document))).toMatchObject({ id: DATA, detail });
  });

  it('refuses nesting beyond the limit', async () => {
    const deep = `{"props":${'{"a":'.repeat(MAX_JSON_DEPTH)}1${'}'.repeat(MAX_JSON_DEPTH)}}`;
    expect((await refusalOf(decode(deep))).detail).toBe('JSON nested deeper than 100 levels');
  });

  it('drops `__proto__`', async () => {
    const { props, text } = await decode('{"props":{"__proto__":{"admin":true}},"__proto__":{"text":"x"}}');
    expect([Object.hasOwn(props!, '__proto__'), { ...props }['admin'], text]).toEqual([false, undefined, '']);
  });
});

describe('the JSON media type', () => {
  it.each([
    ...[undefined, '', JSON_TYPE, 'Application/JSON; charset=utf-8', `${JSON_TYPE}; charset`],
    ...['text/plain', 'text/weird; x=y', 'multipart/mixed; boundary=x'],
  ])('can be %j', async (contentType) => {
    expect(await decode('{"text":"hi"}', contentType)).toStrictEqual({ ...EMPTY, text: 'hi' });
  });

  it('supports charsets and byte order marks', async () => {
    const latin1 = Buffer.from('{"text":"grün"}', 'latin1');
    const expected = { text: 'grün' };
    expect(await decode(latin1, 'text/plain; charset=iso-8859-1')).toMatchObject(expected);
    expect(await decode('\ufeff{"text":"grün"}')).toMatchObject(expected);
    expect(await decode(fields({ payload: '\ufeff{"text":"grün"}' }), MULTIPART)).toMatchObject(expected);
  });

  it.each([
    ...[`${JSON_TYPE} wrongtext`, `${FORM} wrongtext`],
    ...[`${JSON_TYPE}; a=1; a=2`, `${JSON_TYPE}; charset=klingon`],
  ])('is refused as %j', async (contentType) => {
    expect((await refusalOf(decode('{"text":"hi"}', contentType))).id).toBe(MEDIA_TYPE);
  });

  it.each(['', ' ', '{', '{"text":"hi"', 'payload={"text":"hi"}'])('refuses %j', async (body) => {
    for (const type of [JSON_TYPE, 'unknown/type', undefined])
      expect((await refusalOf(decode(body, type))).id).toBe(DATA);
  });
});

describe('JSON leniency', () => {
  it.each([
    ['{\n\t"text": "one\n\ttwo" }', { text: 'one\n\ttwo' }],
    ['{"text":"a\nb\\n\\"c\\"\td \\\\"} trailing', { text: 'a\nb\n"c"\td \\' }],
    ['{"text":"first","TEXT":"last"}', { text: 'last' }],
    [
      '{"username":"\\"text\\":\\"","text":"a\n\\"username\\":\\"b\tc\\""}',
      { username: '"text":"', text: 'a\n"username":"b\tc"' },
    ],
  ])('reads %j', async (body, expected) => {
    expect(await decode(body)).toMatchObject(expected);
  });

  it('repairs the listed keys only', async () => {
    const raw = 'a\nb\tc';
    const listed = ['fallback', 'pretext', 'author_name', 'title', 'text'];
    const body = `{"attachments":[{${listed.map((key) => `"${key}" : "${raw}"`).join()},"fields":[{"title":"${raw}","value":"${raw}"}]}]}`;
    const expected = Object.fromEntries(listed.map((key) => [key, raw]));
    expect(converted(await decode(body)).attachments).toEqual([
      expect.objectContaining({ ...expected, fields: [expect.objectContaining({ title: raw, value: raw })] }),
    ]);
  });

  it.each([
    ...['{"username":"a\nb"}', '{"text":"ok","footer":"a\tb"}', '{"text":"a\r\nb"}', '{"text":"a\\\nb"}'],
    ...['{"text\n":"a"}', '{"text":["a\nb"]}', '{"text":"a\nb"', '{"text":"a\nb', '{"text":"a\u0001b"}'],
    '{"text":"a\n\\u0000"}',
  ])('does not repair %j', async (body) => {
    expect((await refusalOf(decode(body))).id).toBe(DATA);
  });
});

describe('form payload', () => {
  it.each([
    [form('{"text":"a+b & ü 🚀 100%"}'), 'a+b & ü 🚀 100%'],
    ['payload={"text":"a+b%20c"}', 'a b c'],
    [`other=%&${form('{"text":"x"}')}&more=1`, 'x'],
    [form('{"text":"one\n\ttwo"}'), 'one\n\ttwo'],
    ['payload=%7b%22text%22%3A%22a%3bb;c%22%7D', 'a;b;c'],
    [`${form('{"text":"first"}')}&${form('{"text":"second"}')}`, 'first'],
  ])('reads %j', async (body, text) => {
    for (const type of [FORM, 'AppLicaTion/x-www-Form-urlencoded;charset=utf-8'])
      expect(await decode(body, type)).toStrictEqual({ ...EMPTY, text });
  });

  it('can be in the query string, after the field', async () => {
    const query = '{"text":"query"}';
    for (const body of ['', 'payload=&x=1'])
      expect(await decode(body, FORM, query)).toMatchObject({ text: 'query' });
    expect(await decode(form('{"text":"field"}'), FORM, query)).toMatchObject({ text: 'field' });
  });

  it.each([
    ...['{"text":"raw"}', '', 'payload', 'payload=', 'Xpayload={}', 'a=payload={}'].map((body) => [
      body,
      { id: DATA, detail: 'payload is missing' },
    ]),
    ['payload=x', { id: DATA }],
    ...['payload={"text":"100%"}', 'payload=%', 'payload=%4', 'payload=%zz{}'].map((body) => [
      body,
      { id: IN_FORM },
    ]),
  ] as [string, object][])('refuses %j with %j', async (body, refusal) => {
    expect(await refusalOf(decode(body, FORM))).toMatchObject(refusal);
  });
});

describe('multipart payload', () => {
  const TYPED = '\r\nContent-Type: application/json';
  const DOCUMENT = part('payload', '{"TEXT":"document","username":"bot"}', TYPED);

  it.each([
    [
      fields({
        username: 'bot',
        text: 'line\r\ntwo ü',
        IconURL: 'u',
        channelName: 'c',
        iconemoji: 'e',
        type: 't',
      }),
      { username: 'bot', text: 'line\r\ntwo ü', iconUrl: 'u', channel: 'c', iconEmoji: 'e', type: 't' },
    ],
    [
      fields({ channel: '#c', icon_url: 'u', icon_emoji: 'e' }),
      { channel: '#c', iconUrl: 'u', iconEmoji: 'e' },
    ],
    [
      fields({ attachments: '[{"text":"a\nb"}]', props: '{"p":1}', priority: '{"priority":"urgent"}' }),
      { attachments: [{ text: 'a\nb' }], props: { p: 1 }, priority: { priority: 'urgent' } },
    ],
    [multipart(DOCUMENT), { text: 'document', username: 'bot' }],
    [multipart(part('text', 'part'), DOCUMENT), { text: 'part', username: 'bot' }],
    [fields({ text: 'a', TEXT: 'b', attachments: '', payload: ' ' }), { text: 'b' }],
    [multipart(), {}],
  ])('reads %j as %j', async (body, expected) => {
    for (const type of [MULTIPART, `Multipart/Form-Data; charset=utf-8; boundary="${BOUNDARY}"`])
      expect(await decode(body, type)).toStrictEqual({ ...EMPTY, ...expected });
  });

  it.each([
    ['fallback', 'x', 'unknown part "fallback"'],
    ['__proto__', '{}', 'unknown part "__proto__"'],
    ['text', 'a\0b', 'NUL character in text'],
    ['attachments', '{}', 'attachments must be an array'],
    ['attachments', '[oops', 'attachments: malformed JSON'],
    ['payload', '[]', 'payload must be an object'],
    ['payload', '{"text":5}', 'text must be a string'],
  ])('refuses the part %s %j', async (name, value, detail) => {
    const refusal = await refusalOf(decode(multipart(part('username', 'bot'), part(name, value)), MULTIPART));
    expect(refusal).toMatchObject({ id: DATA, detail: expect.stringContaining(detail) });
  });

  const HI = fields({ text: 'hi' });
  it.each([
    ['not multipart', MULTIPART],
    ['', MULTIPART],
    [`--${BOUNDARY}\r\nContent-Disposition: form-data; name="text"\r\n\r\nhi`, MULTIPART],
    [`--${BOUNDARY}\r\nnonsense\r\n\r\nhi\r\n--${BOUNDARY}--`, MULTIPART],
    [HI, 'multipart/form-data'],
    [HI, 'multipart/form-data; boundary=""'],
    [HI, `multipart/form-data; boundary=${'x'.repeat(71)}`],
    [HI, 'multipart/form-data; boundary="ü"'],
    [HI.replace('; name="text"', ''), MULTIPART],
    [multipart(part('text', 'hi', '; filename="a.txt"')), MULTIPART],
    [part('f', 'hi', '; filename="a"'), MULTIPART],
    [multipart(part('text', 'hi', '\r\nContent-Type: text/plain; charset=klingon')), MULTIPART],
  ])('rejects %j as %j', async (body, contentType) => {
    const refusal = await refusalOf(decode(body, contentType));
    expect(refusal).toMatchObject({ id: IN_PARTS, detail: expect.stringMatching(/./) });
  });

  it('limits the number of parts', async () => {
    const parts = (count: number) =>
      multipart(...Array.from({ length: count }, (_, i) => part('text', `${i}`)));
    expect(await decode(parts(MAX_PARTS), MULTIPART)).toMatchObject({ text: `${MAX_PARTS - 1}` });
    expect((await refusalOf(decode(parts(MAX_PARTS + 1), MULTIPART))).detail).toBe('more than 50 parts');
  });
});

it.each([
  '',
  'plain',
  'ü🚀',
  '"quoted" \\ back',
  'a&b=c+d%20',
  '<a|b>',
  'x\ty\nz',
  '--xYz',
  'ü'.repeat(100_000),
])('reads the same from JSON, form and multipart: %j', async (text) => {
  const document = { text, username: text, icon_url: text, channel: text, attachments: [{ text }] };
  const json = JSON.stringify(document);
  const expected = await decode(json, JSON_TYPE);
  expect(expected.text).toBe(text);
  expect(await decode(form(json), FORM)).toEqual(expected);
  expect(await decode(new URLSearchParams({ payload: json }).toString(), FORM)).toEqual(expected);
  expect(await decode('', FORM, json)).toEqual(expected);
  const parts = fields({ ...document, attachments: JSON.stringify(document.attachments) });
  expect(await decode(parts, MULTIPART)).toEqual(expected);
});

describe('the place and key of a message', () => {
  const ID = 'b1f8zcm5wtd5jfzn8u5fxpbkje';

  it.each([
    [{ root_id: ID, thread_ts: 'x'.repeat(26) }, { rootId: ID }],
    [{ thread_ts: ID }, { rootId: ID }],
    [{ thread_ts: '1712345678.000100' }, {}],
    [{ thread_ts: 5, root_id: null }, {}],
    [
      { KEY: 'a', On_Key: 'resolve' },
      { key: 'a', onKey: 'resolve' },
    ],
    [
      { key: 'a', on_key: '' },
      { key: 'a', onKey: 'thread' },
    ],
    [{ key: '', on_key: 'update' }, {}],
    [{ silent: false }, { silent: false }],
    [{ silent: null }, {}],
  ])('%j', async (document, expected) => {
    expect(await decodeJson(document)).toEqual({ ...EMPTY, ...expected });
  });

  it.each(['key', 'on_key', 'root_id', 'silent'])('names %s if it has the wrong type', async (name) => {
    expect((await refusalOf(decodeJson({ [name]: 5 }))).detail).toContain(name);
  });

  it('takes a key from the headers unless the payload has one', async () => {
    const headers = { 'hookline-key': 'header', 'hookline-on-key': 'update' };
    const decodeWith = async (document: object) =>
      decodePayload({ body: Buffer.from(JSON.stringify(document)), headers });
    expect(await decodeWith({})).toMatchObject({ key: 'header', onKey: 'update' });
    expect(await decodeWith({ key: 'own' })).toMatchObject({ key: 'own', onKey: 'update' });
  });
});

it.each([
  [{}, false, false],
  [{ text: null, attachments: null }, false, false],
  [{ text: '' }, true, false],
  [{ attachments: [] }, false, true],
  [{ Blocks: [] }, true, true],
  [{ blocks: 'none' }, false, false],
  [{ props: { mm_blocks: [{ type: 'text', text: 'a' }] } }, true, false],
])('a change with %j', async (document, hasText, hasAttachments) => {
  const change = await decodeChange({ body: Buffer.from(JSON.stringify(document)) });
  expect(change).toMatchObject({ hasText, hasAttachments });
});
