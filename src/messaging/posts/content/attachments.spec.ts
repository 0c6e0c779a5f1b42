import { AttachmentError, normaliseAttachments, stripActionIntegrations } from './attachments.js';
import { PropsTooLarge } from './slack-text.js';

const TEXTS = [
  'fallback',
  'color',
  'pretext',
  'author_name',
  'author_link',
  'author_icon',
  'title',
  'title_link',
  'text',
];
const LAST_TEXTS = ['image_url', 'thumb_url', 'footer', 'footer_icon'];
const empty = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '']));
const EMPTY = { id: 0, ...empty(TEXTS), fields: null, ...empty(LAST_TEXTS), ts: null };

const field = (value: unknown) => normaliseAttachments([{ fields: [{ value }] }])?.[0]?.fields?.[0]?.value;

describe('normaliseAttachments', () => {
  it.each([undefined, null, [], [null], [null, null]])('finds none in %j', (raw) => {
    expect(normaliseAttachments(raw)).toBeUndefined();
  });

  it('emits every text and no actions', () => {
    expect(normaliseAttachments([{}])).toStrictEqual([EMPTY]);
    expect(
      normaliseAttachments([{ text: null, fields: null, actions: null, id: null, ts: null }]),
    ).toStrictEqual([EMPTY]);
  });

  it('keeps known fields in any case and ignores the rest', () => {
    const known = { ...EMPTY, id: 7, text: 'text', ts: 1504640714 };
    const { text, ...others } = known;
    expect(normaliseAttachments([{ ...others, Text: text, mrkdwn_in: ['text'] }])).toStrictEqual([known]);
  });

  it('keeps every text in its place', () => {
    const texts = [...TEXTS, ...LAST_TEXTS];
    const sent = Object.fromEntries(texts.map((key) => [key, `the ${key}`]));
    const [kept] = normaliseAttachments([sent])!;
    expect(kept).toStrictEqual({ ...EMPTY, ...sent });
    expect(Object.keys(kept!)).toEqual(Object.keys(EMPTY));
  });

  it.each(['author_link', 'title_link'])('links only known schemes in %s', (field) => {
    const of = (url: string): unknown => normaliseAttachments([{ [field]: url }])?.[0];
    expect(of('mailto:ada@example.com')).toStrictEqual({ ...EMPTY, [field]: 'mailto:ada@example.com' });
    expect(of('JavaScript:alert(1)')).toStrictEqual(EMPTY);
  });

  it.each(['author_icon', 'image_url', 'thumb_url', 'footer_icon'])(
    'allows only web images in %s',
    (field) => {
      const of = (url: string): unknown => normaliseAttachments([{ [field]: url }])?.[0];
      expect(of('https://host/i.png')).toStrictEqual({ ...EMPTY, [field]: 'https://host/i.png' });
      expect(of('mailto:ada@example.com')).toStrictEqual(EMPTY);
    },
  );

  it('drops null attachments and null fields', () => {
    const attachments = normaliseAttachments([null, { fields: [null, { title: 'kept' }] }, null]);
    expect(attachments).toHaveLength(1);
    expect(attachments?.[0]?.fields).toStrictEqual([{ title: 'kept', value: null, short: false }]);
    expect(normaliseAttachments([{ fields: [null] }])?.[0]?.fields).toEqual([]);
  });

  it.each([
    ['text', 'text'],
    ['', ''],
    [null, null],
    [undefined, null],
    [true, 'true'],
    [0, '0'],
    [1000000, '1000000'],
    [1e21, '1000000000000000000000'],
    [-1.25e22, '-12500000000000000000000'],
    [1e-7, '0.0000001'],
    [-1.5e-9, '-0.0000000015'],
    [['a', 1], '["a",1]'],
    [{ a: { b: null } }, '{"a":{"b":null}}'],
  ])('formats the field value %j as %j', (value, expected) => {
    expect(field(value)).toBe(expected);
  });

  it('formats any finite number exactly, without exponent', () => {
    for (let exponent = -320; exponent < 308; exponent++) {
      for (const digits of ['1', '-9.87654321', '1.7976931348623157']) {
        const value = Number(`${digits}e${exponent}`);
        const text = field(value)!;
        expect(text).toMatch(/^-?\d+(\.\d+)?$/);
        expect(Number(text)).toBe(value === 0 ? 0 : value);
      }
    }
  });

  it.each([
    [true, true],
    [false, false],
    ['true', true],
    ['False', false],
    ['TRUE', true],
    [undefined, false],
  ])('reads short %j as %j', (short, expected) => {
    expect(normaliseAttachments([{ fields: [{ short }] }])?.[0]?.fields?.[0]?.short).toBe(expected);
  });

  it.each(['1504640714', 1504640714, 1.5])('passes the timestamp %j through', (ts) => {
    expect(normaliseAttachments([{ ts }])?.[0]?.ts).toBe(ts);
  });

  it.each([
    ['text', 'attachments must be an array'],
    [[{}, 'text'], 'attachments.1 must be an object'],
    [[null, []], 'attachments.1 must be an object'],
    [[{ text: 5 }], 'attachments.0.text must be a string'],
    [[{ id: 1.5 }], 'attachments.0.id must be an integer'],
    [[{ ts: true }], 'attachments.0.ts must be a string or a number'],
    [[{ ts: Infinity }], 'attachments.0.ts must be a string or a number'],
    [[{ fields: {} }], 'attachments.0.fields must be an array'],
    [[{ fields: [null, 5] }], 'attachments.0.fields.1 must be an object'],
    [[{ fields: [{ title: 5 }] }], 'attachments.0.fields.0.title must be a string'],
    [[{ fields: [{ value: Infinity }] }], 'attachments.0.fields.0.value must be a number within range'],
    [[{ fields: [{ short: 1 }] }], 'attachments.0.fields.0.short must be true or false'],
    [[{ fields: [{ short: null }] }], 'attachments.0.fields.0.short must be true or false'],
    [[{ fields: [{ short: ['true'] }] }], 'attachments.0.fields.0.short must be true or false'],
    [[{ actions: {} }], 'attachments.0.actions must be an array'],
    [[{ actions: ['x'] }], 'attachments.0.actions.0 must be an object'],
    [[{ actions: [{ name: 5 }] }], 'attachments.0.actions.0.name must be a string'],
    [[{ actions: [{ disabled: 'no' }] }], 'attachments.0.actions.0.disabled must be true or false'],
    [[{ actions: [{ options: [{ text: 5 }] }] }], 'attachments.0.actions.0.options.0.text must be a string'],
    [[{ actions: [{ integration: 'x' }] }], 'attachments.0.actions.0.integration must be an object'],
    [
      [{ actions: [{ integration: { context: [] } }] }],
      'attachments.0.actions.0.integration.context must be an object',
    ],
  ])('refuses %j: %s', (raw, message) => {
    const refusal = (): unknown => normaliseAttachments(raw);
    expect(refusal).toThrow(AttachmentError);
    expect(refusal).toThrow(message);
  });
});

describe('the growth of attachments', () => {
  const many = (count: number, item: unknown): unknown[] => Array.from({ length: count }, () => item);

  it.each([
    ['attachments', (count: number) => many(count, {}), 19_000, 20_000],
    ['fields', (count: number) => [{ fields: many(count, {}) }], 100_000, 110_000],
    ['long numbers', (count: number) => [{ fields: many(count, { value: 1e300 }) }], 12_000, 13_000],
    ['actions', (count: number) => [{ actions: many(count, {}) }], 110_000, 120_000],
    ['options', (count: number) => [{ actions: [{ options: many(count, {}) }] }], 190_000, 200_000],
  ])('is bounded for %s', (_, build, most, tooMany) => {
    const length = JSON.stringify(normaliseAttachments(build(most))).length;
    expect(length).toBeGreaterThan(3_900_000);
    expect(length).toBeLessThan(4_400_000);
    expect(() => normaliseAttachments(build(tooMany))).toThrow(PropsTooLarge);
  });

  it('leaves long texts alone', () => {
    const text = 'x'.repeat(1_000_000);
    expect(normaliseAttachments(many(10, { text, fields: [{ value: text }] }))).toHaveLength(10);
  });
});

describe('actions', () => {
  const integration = { url: 'https://host/act', context: { secret: 'S', Mixed: [1] } };
  const button = { name: 'Approve', type: 'button', disabled: true };
  const options = [null, { text: 'A', value: 'a' }, {}];
  const raw = [
    {
      actions: [
        null,
        { ...button, tooltip: '', unknown: 1, integration: { ...integration, more: 1 } },
        { id: 'chosen', data_source: null, options },
      ],
    },
    { text: 'without' },
  ];

  it('keep known fields and get missing ids', () => {
    const [first, second] = normaliseAttachments(raw)!;
    const filled = [
      { text: 'A', value: 'a' },
      { text: '', value: '' },
    ];
    expect(first?.actions).toStrictEqual([
      { id: expect.stringMatching(/^[a-z0-9]{26}$/), ...button, integration },
      { id: 'chosen', options: filled },
    ]);
    expect(second).not.toHaveProperty('actions');
    expect(normaliseAttachments([{ actions: [] }, { actions: [null] }])).toStrictEqual([EMPTY, EMPTY]);
  });

  it('keep all their texts', () => {
    const names = ['id', 'type', 'name', 'tooltip', 'style', 'data_source', 'default_option'];
    const action = Object.fromEntries(names.map((name) => [name, `the ${name}`]));
    expect(normaliseAttachments([{ actions: [action] }])?.[0]?.actions).toStrictEqual([action]);
  });

  it('are shown without their integrations, which remain stored', () => {
    const attachments = normaliseAttachments(raw)!;
    const before = structuredClone(attachments);
    const shown = stripActionIntegrations(attachments);
    expect(JSON.stringify(shown)).not.toMatch(/integration|https:\/\/host|secret/);
    expect(shown[0]?.actions?.map(({ id }) => id)).toEqual(attachments[0]?.actions?.map(({ id }) => id));
    expect(shown[1]).toEqual(attachments[1]);
    expect(attachments).toEqual(before);
  });
});
