import { normaliseAttachments } from '../../messaging/posts/content/attachments.js';
import { MAX_JSON_DEPTH } from '../../platform/common/json.js';
import { decodePayload, type IncomingPayload } from './payload-decoder.js';
import { MAX_PARTS } from './payload-forms.js';
import { PayloadError } from './payload-forms.js';

const FORM = 'application/x-www-form-urlencoded';
const DECODE = 'model.incoming_hook.parse_data.app_error';
const BOUNDARY = 'xYzZY';
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;
const EMPTY: IncomingPayload = {
  text: '',
  channel: '',
  username: '',
  iconUrl: '',
  iconEmoji: '',
  type: '',
  attachments: undefined,
  props: undefined,
};

const decode = async (body: string | Buffer, contentType?: string, queryPayload?: string) =>
  decodePayload({ body: Buffer.from(body), contentType, queryPayload });
const decodeJson = (document: unknown) => decode(JSON.stringify(document), 'application/json');
const form = (payload: string) => `payload=${encodeURIComponent(payload)}`;
const multipart = (...parts: Array<[headers: string, value: string]>) =>
  parts.map(([headers, value]) => `--${BOUNDARY}\r\n${headers}\r\n\r\n${value}\r\n`).join('') +
  `--${BOUNDARY}--\r\n`;
const part = (name: string, value: string): [string, string] => [
  `Content-Disposition: form-data; name="${name}"`,
  value,
];

/** With attachments as they are posted. */
const converted = (payload: IncomingPayload) => ({
  ...payload,
  attachments: normaliseAttachments(payload.attachments),
});

async function refusalOf(payload: Promise<unknown>): Promise<PayloadError> {
  const refusal: unknown = await payload.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(PayloadError);
  return refusal as PayloadError;
}

describe('JSON payload', () => {
  it('is read synchronously', () => {
    const payload = decodePayload({ contentType: 'application/json', body: Buffer.from('{"text":"hi"}') });
    expect(payload).toStrictEqual({ ...EMPTY, text: 'hi' });
  });

  it('is validated but not converted, because the webhook may not exist', async () => {
    const attachments = [
      null,
      { Text: '<!here>', fields: [{ value: 1e300 }], actions: [{ name: 'x' }], title_link: 'data:,' },
    ];
    const payload = await decodeJson({
      text: '<https://example.com|label>',
      attachments,
      props: { from_bot: 1 },
    });
    expect(payload).toStrictEqual({
      ...EMPTY,
      text: '<https://example.com|label>',
      attachments,
      props: { from_bot: 1 },
    });
  });

  it('carries every field of the contract and ignores the others', async () => {
    const payload = await decodeJson({
      text: 'text',
      channel: '#town-square',
      username: 'bot',
      icon_url: 'https://host/i.png',
      icon_emoji: ':smile:',
      type: 'custom_x',
      attachments: [null, { text: 'a', fields: [null, { title: 't', value: 1, short: 'TRUE' }] }],
      props: { a: { b: [1] } },
      priority: { priority: 'urgent', requested_ack: true, persistent_notifications: false, more: 1 },
      blocks: [],
      link_names: 1,
      unfurl_links: true,
      thread_ts: '1',
      metadata: {},
    });
    expect(converted(payload)).toMatchObject({
      text: 'text',
      channel: '#town-square',
      username: 'bot',
      iconUrl: 'https://host/i.png',
      iconEmoji: ':smile:',
      type: 'custom_x',
      attachments: [{ text: 'a', fields: [{ title: 't', value: '1', short: true }] }],
      props: { a: { b: [1] } },
    });
    expect(payload.priority).toStrictEqual({
      priority: 'urgent',
      requested_ack: true,
      persistent_notifications: false,
    });
  });

  it('treats null as absent and [] as no attachments (row 175)', async () => {
    const nulls = { text: null, channel: null, attachments: null, props: null, type: null, priority: null };
    expect(await decodeJson(nulls)).toStrictEqual(EMPTY);
    expect(await decodeJson({ attachments: [] })).toStrictEqual(EMPTY);
    expect(await decodeJson({ attachments: [null] })).toStrictEqual(EMPTY);
    expect(await decodeJson({ priority: {} })).toStrictEqual({ ...EMPTY, priority: {} });
    expect(await decodeJson({ priority: { priority: null } })).toStrictEqual({ ...EMPTY, priority: {} });
  });

  it('matches keys in any case; the last one wins', async () => {
    expect(await decodeJson({ TEXT: 'a', Icon_Url: 'b', Priority: { PRIORITY: 'c' } })).toMatchObject({
      text: 'a',
      iconUrl: 'b',
      priority: { priority: 'c' },
    });
    expect(await decode('{"text":"first","TEXT":"last"}')).toMatchObject({ text: 'last' });
  });

  it.each([
    [{ text: 5 }, 'text must be a string'],
    [{ channel: ['x'] }, 'channel must be a string'],
    [{ username: false }, 'username must be a string'],
    [{ icon_url: {} }, 'icon_url must be a string'],
    [{ icon_emoji: 1 }, 'icon_emoji must be a string'],
    [{ type: 1 }, 'type must be a string'],
    [{ props: [] }, 'props must be an object'],
    [{ props: 'x' }, 'props must be an object'],
    [{ attachments: {} }, 'attachments must be an array'],
    [{ attachments: [{ text: 1 }] }, 'attachments.0.text must be a string'],
    [
      { attachments: [{ fields: [{ short: 'maybe' }] }] },
      'attachments.0.fields.0.short must be true or false',
    ],
    [{ priority: 'urgent' }, 'priority must be an object'],
    [{ priority: { priority: 1 } }, 'priority.priority must be a string'],
    [{ priority: { requested_ack: 'yes' } }, 'priority.requested_ack must be true or false'],
    [{ text: 'a\0' }, 'NUL character in text'],
    [{ props: { 'a\0': 1 } }, 'NUL character in props.a\\u0000'],
    [['a'], 'the payload must be an object'],
    ['a', 'the payload must be an object'],
    [null, 'the payload must be an object'],
    [1, 'the payload must be an object'],
  ])('refuses %j naming the field', async (document, detail) => {
    const refusal = await refusalOf(decodeJson(document));
    expect(refusal).toMatchObject({ id: DECODE, detail });
  });

  it('refuses nesting beyond the limit', async () => {
    const deep = `{"props":${'{"a":'.repeat(MAX_JSON_DEPTH)}1${'}'.repeat(MAX_JSON_DEPTH)}}`;
    expect(await refusalOf(decode(deep))).toMatchObject({
      id: DECODE,
      detail: 'JSON nested deeper than 100 levels',
    });
  });

  it('drops `__proto__`', async () => {
    const { props } = await decode('{"props":{"__proto__":{"admin":true}},"__proto__":{"text":"x"}}');
    expect(props).toEqual({});
    expect(Object.hasOwn(props!, '__proto__')).toBe(false);
    expect(Object.getPrototypeOf({ ...props })).toBe(Object.prototype);
    expect({ ...props }['admin']).toBeUndefined();
    expect((await decode('{"__proto__":{"text":"x"}}')).text).toBe('');
  });
});

describe('the JSON media type', () => {
  it.each([
    undefined,
    '',
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=utf-8',
    'application/json; charset',
    'text/plain',
    'text/weird; x=y',
    'multipart/mixed; boundary=x',
  ])('can be %j (rows 147, 154)', async (contentType) => {
    expect(await decode('{"text":"hi"}', contentType)).toStrictEqual({ ...EMPTY, text: 'hi' });
  });

  it('allows a byte order mark in a part', async () => {
    const parts = multipart(
      part('payload', '\ufeff{"text":"hi"}'),
      part('attachments', '\ufeff[{"text":"a"}]'),
    );
    expect(await decode(parts, MULTIPART)).toMatchObject({ text: 'hi', attachments: [{ text: 'a' }] });
  });

  it('supports charsets', async () => {
    expect(
      await decode(Buffer.from('{"text":"grün"}', 'latin1'), 'text/plain; charset=iso-8859-1'),
    ).toMatchObject({ text: 'grün' });
    expect(await decode(Buffer.from('\ufeff{"text":"grün"}'), undefined)).toMatchObject({ text: 'grün' });
  });

  it.each([
    'application/json wrongtext',
    `${FORM} wrongtext`,
    'application/json; a=1; a=2',
    'application/json; charset=klingon',
  ])('is refused as %j (row 148)', async (contentType) => {
    const refusal = await refusalOf(decode('{"text":"hi"}', contentType));
    expect(refusal).toMatchObject({ id: 'web.incoming_webhook.media_type.app_error' });
  });

  it.each(['application/json', 'unknown/type', undefined])(
    'turns a form body into %j (rows 151, 153)',
    async (contentType) => {
      const refusal = await refusalOf(decode('payload={"text":"hi"}', contentType));
      expect(refusal).toMatchObject({ id: DECODE, detail: 'malformed JSON' });
    },
  );

  it.each(['', ' ', '{', '{"text":"hi"'])('requires a complete document: %j', async (body) => {
    expect(await refusalOf(decode(body, 'application/json'))).toMatchObject({ id: DECODE });
  });
});

describe('JSON leniency', () => {
  it('keeps raw newlines and tabs in a text (row 144)', async () => {
    expect(await decode('{\n\t"text": "line one\n\tline two" }')).toMatchObject({
      text: 'line one\n\tline two',
    });
    expect(await decode('{"text":"a\nb\\n\\"c\\"\td \\\\"} trailing')).toMatchObject({
      text: 'a\nb\n"c"\td \\',
    });
  });

  it('repairs the listed keys only', async () => {
    const raw = 'a\nb\tc';
    const body = `{"attachments":[{"fallback":"${raw}","PRETEXT" : "${raw}","author_name":"${raw}","title":"${raw}","text":"${raw}","fields":[{"title":"${raw}","value":"${raw}"}]}]}`;
    expect(converted(await decode(body))).toMatchObject({
      attachments: [
        {
          fallback: raw,
          pretext: raw,
          author_name: raw,
          title: raw,
          text: raw,
          fields: [{ title: raw, value: raw }],
        },
      ],
    });
  });

  it.each([
    '{"username":"a\nb"}',
    '{"text":"ok","footer":"a\tb"}',
    '{"text":"a\r\nb"}',
    '{"text":"a\\\nb"}',
    '{"text\n":"a"}',
    '{"text":["a\nb"]}',
    '{"text":"a\nb"',
    '{"text":"a\nb',
    '{"text":"a\u0001b"}',
  ])('does not repair %j', async (body) => {
    expect(await refusalOf(decode(body))).toMatchObject({ id: DECODE });
  });

  it('is not misled by string contents', async () => {
    const body = '{"username":"\\"text\\":\\"","text":"a\n\\"username\\":\\"b\tc\\""}';
    expect(await decode(body)).toMatchObject({ username: '"text":"', text: 'a\n"username":"b\tc"' });
  });

  it('still refuses NUL and depth after the repair', async () => {
    expect(await refusalOf(decode('{"text":"a\n\\u0000"}'))).toMatchObject({
      detail: 'NUL character in text',
    });
  });

  it.each(['{"text":"', '"\n', '\\"', '"\\', '"text":"\n",', '"text":"\n" ', '"a":'])(
    'takes linear time for repetitions of %j',
    async (piece) => {
      await refusalOf(decode(piece.repeat(300_000 / piece.length)));
      await refusalOf(decode(`{"text":"\n",${piece.repeat(300_000 / piece.length)}`));
    },
  );
});

describe('form payload', () => {
  it.each([
    [form('{"text":"a+b & ü 🚀 100%"}'), 'a+b & ü 🚀 100%'],
    ['payload={"text":"a+b%20c"}', 'a b c'],
    [`other=%&${form('{"text":"x"}')}&more=1`, 'x'],
    [form('{"text":"one\n\ttwo"}'), 'one\n\ttwo'],
    ['payload=%7b%22text%22%3A%22a%3bb;c%22%7D', 'a;b;c'],
    [`${form('{"text":"first"}')}&${form('{"text":"second"}')}`, 'first'],
  ])('reads %j (rows 139, 146)', async (body, text) => {
    expect(await decode(body, FORM)).toStrictEqual({ ...EMPTY, text });
  });

  it.each([`${FORM};charset=utf-8`, `${FORM}; charset=utf-8`, 'AppLicaTion/x-www-Form-urlencoded'])(
    'is accepted as %s (row 147)',
    async (contentType) => {
      expect(await decode(form('{"text":"ü"}'), contentType)).toMatchObject({ text: 'ü' });
    },
  );

  it('can be in the query string, after the field', async () => {
    expect(await decode('', FORM, '{"text":"query"}')).toMatchObject({ text: 'query' });
    expect(await decode('payload=&x=1', FORM, '{"text":"query"}')).toMatchObject({ text: 'query' });
    expect(await decode(form('{"text":"field"}'), FORM, '{"text":"query"}')).toMatchObject({ text: 'field' });
  });

  it.each(['{"text":"raw"}', '', 'payload', 'payload=', 'Xpayload={}', 'a=payload={}'])(
    'is missing in %j (row 150)',
    async (body) => {
      expect(await refusalOf(decode(body, FORM))).toMatchObject({ id: DECODE, detail: 'payload is missing' });
    },
  );

  it.each(['payload={"text":"100%"}', 'payload=%', 'payload=%4', 'payload=%zz{}'])(
    'refuses the bad escape %j',
    async (body) => {
      const refusal = await refusalOf(decode(body, FORM));
      expect(refusal).toMatchObject({ id: 'web.incoming_webhook.parse_form.app_error' });
    },
  );

  it('refuses invalid JSON and hostile repetition quickly', async () => {
    expect(await refusalOf(decode('payload=x', FORM))).toMatchObject({ id: DECODE });
    await refusalOf(decode('payload='.repeat(40_000), FORM));
    await refusalOf(decode('&'.repeat(300_000), FORM));
  });
});

describe('multipart payload', () => {
  it('has one part per field (row 152)', async () => {
    const body = multipart(
      part('username', 'bot'),
      part('text', 'line\r\ntwo ü'),
      part('IconURL', 'u'),
      part('channelName', 'c'),
      part('iconemoji', 'e'),
      part('type', 't'),
    );
    expect(await decode(body, MULTIPART)).toStrictEqual({
      ...EMPTY,
      username: 'bot',
      text: 'line\r\ntwo ü',
      iconUrl: 'u',
      channel: 'c',
      iconEmoji: 'e',
      type: 't',
    });
  });

  it('accepts the JSON names as well', async () => {
    const body = multipart(
      part('channel', '#c'),
      part('icon_url', 'u'),
      part('icon_emoji', 'e'),
      part('attachments', '[{"text":"a\nb"}]'),
      part('props', '{"p":1}'),
      part('priority', '{"priority":"urgent"}'),
    );
    expect(await decode(body, `Multipart/Form-Data; charset=utf-8; boundary="${BOUNDARY}"`)).toMatchObject({
      channel: '#c',
      iconUrl: 'u',
      iconEmoji: 'e',
      attachments: [{ text: 'a\nb' }],
      props: { p: 1 },
      priority: { priority: 'urgent' },
    });
  });

  it('accepts a whole document as payload; other parts override it', async () => {
    const payload: [string, string] = [
      'Content-Type: application/json\r\nContent-Disposition: form-data; name="payload"',
      '{"TEXT":"document","username":"bot"}',
    ];
    expect(await decode(multipart(payload), MULTIPART)).toMatchObject({ text: 'document', username: 'bot' });
    expect(await decode(multipart(part('text', 'part'), payload), MULTIPART)).toMatchObject({
      text: 'part',
      username: 'bot',
    });
  });

  it('lets the last of equal parts win and ignores empty JSON parts', async () => {
    const body = multipart(
      part('text', 'a'),
      part('TEXT', 'b'),
      part('attachments', ''),
      part('payload', ' '),
    );
    expect(await decode(body, MULTIPART)).toStrictEqual({ ...EMPTY, text: 'b' });
    expect(await decode(`--${BOUNDARY}--\r\n`, MULTIPART)).toStrictEqual(EMPTY);
  });

  it.each([
    [part('fallback', 'x'), 'unknown part "fallback"'],
    [part('__proto__', '{}'), 'unknown part "__proto__"'],
    [part('text', 'a\0b'), 'NUL character in text'],
    [part('attachments', '{}'), 'attachments must be an array'],
    [part('attachments', '[oops'), 'attachments: malformed JSON'],
    [part('props', '[]'), 'props must be an object'],
    [part('payload', '[]'), 'payload must be an object'],
    [part('payload', '{"text":5}'), 'text must be a string'],
  ])('refuses %j', async (bad, detail) => {
    const refusal = await refusalOf(decode(multipart(part('username', 'bot'), bad), MULTIPART));
    expect(refusal).toMatchObject({ id: DECODE });
    expect(refusal.detail.startsWith(detail)).toBe(true);
  });

  it.each([
    ['not multipart', MULTIPART],
    ['', MULTIPART],
    [`--${BOUNDARY}\r\nContent-Disposition: form-data; name="text"\r\n\r\nhi`, MULTIPART],
    [`--${BOUNDARY}\r\nnonsense\r\n\r\nhi\r\n--${BOUNDARY}--`, MULTIPART],
    [multipart(part('text', 'hi')), 'multipart/form-data'],
    [multipart(part('text', 'hi')), 'multipart/form-data; boundary=""'],
    [multipart(part('text', 'hi')), `multipart/form-data; boundary=${'x'.repeat(71)}`],
    [multipart(part('text', 'hi')), 'multipart/form-data; boundary="ü"'],
    [multipart(['Content-Disposition: form-data', 'hi']), MULTIPART],
    [multipart(['Content-Disposition: form-data; name="text"; filename="a.txt"', 'hi']), MULTIPART],
    [`--${BOUNDARY}\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nhi`, MULTIPART],
    [
      multipart([
        'Content-Disposition: form-data; name="text"\r\nContent-Type: text/plain; charset=klingon',
        'hi',
      ]),
      MULTIPART,
    ],
  ])('rejects %j as %j', async (body, contentType) => {
    const refusal = await refusalOf(decode(body, contentType));
    expect(refusal).toMatchObject({ id: 'web.incoming_webhook.parse_multipart.app_error' });
    expect(refusal.detail).not.toBe('');
  });

  it('limits the number of parts', async () => {
    const parts = (count: number) =>
      multipart(...Array.from({ length: count }, (_, i) => part('text', `${i}`)));
    expect(await decode(parts(MAX_PARTS), MULTIPART)).toMatchObject({ text: `${MAX_PARTS - 1}` });
    expect(await refusalOf(decode(parts(MAX_PARTS + 1), MULTIPART))).toMatchObject({
      detail: 'more than 50 parts',
    });
    await refusalOf(decode(parts(3000), MULTIPART));
  });

  it('accepts a long text', async () => {
    const text = 'ü'.repeat(1_000_000);
    expect((await decode(multipart(part('text', text)), MULTIPART)).text).toBe(text);
  });
});

describe('decodePayload', () => {
  it('reads the same from JSON, form and multipart, for random payloads', async () => {
    const random = randomFrom(11);
    const texts = ['', 'plain', 'ü🚀', '"quoted" \\ back', 'a&b=c+d%20', '<a|b>', 'x\ty\nz', '--xYz'];
    const text = () => texts[Math.floor(random() * texts.length)]!;
    for (let i = 0; i < 200; i++) {
      const document = {
        text: text(),
        username: text(),
        icon_url: text(),
        channel: text(),
        attachments: [{ text: text() }],
      };
      const json = JSON.stringify(document);
      const expected = await decode(json, 'application/json');
      expect(expected.text).toBe(document.text);
      expect(await decode(form(json), FORM)).toEqual(expected);
      expect(await decode(new URLSearchParams({ payload: json }).toString(), FORM)).toEqual(expected);
      expect(await decode('', FORM, json)).toEqual(expected);
      const parts = Object.entries(document).map(([name, value]) =>
        part(name, typeof value === 'string' ? value : JSON.stringify(value)),
      );
      expect(await decode(multipart(...parts), MULTIPART)).toEqual(expected);
    }
  });
});

/** mulberry32, a seeded random number generator. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
