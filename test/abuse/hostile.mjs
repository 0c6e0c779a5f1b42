/** What a hostile sender puts into templates, bodies and headers. */
const nested = (last) =>
  `{% assign a = "x" | split: "," %}{% for i in (1..60) %}{% assign a = "" | split: "," | push: a | push: a %}{% endfor %}${last}`;
const doubled = (assignment, last) =>
  `{% assign a = body.text %}{% for i in (1..60) %}${assignment}{% endfor %}${last}`;

/** Templates that take long, need much memory, or read what they should not. */
export const hostileTemplates = [
  '{% for i in (1..100000000) %}{{ i }}{% endfor %}',
  '{% for i in (1..900000) %}{% for j in (1..900000) %}{% endfor %}{% endfor %}',
  '{% for i in (1..10000) %}{% for j in (1..10000) %}{% endfor %}{% endfor %}',
  '{% for i in (1..10000) %}{{ body.text }}{% endfor %}',
  '{% for i in (1..1000000) %}{{ body.text }}{% endfor %}',
  '{% assign a = (1..1000000) %}',
  '{% tablerow i in (1..10000000) cols:1 %}{{ i }}{% endtablerow %}',
  `${'{% if true %}'.repeat(600)}x${'{% endif %}'.repeat(600)}`,
  doubled('{% assign a = a | append: a %}', '{{ a }}'),
  doubled('{% capture a %}{{ a }}{{ a }}{% endcapture %}', '{{ a }}'),
  doubled('{% assign a = a | split: "~" | concat: a %}', '{{ a | join }}'),
  nested('{{ a }}'),
  nested('{{ a | literal }}'),
  nested('{% if a == a %}{% endif %}{{ "x" | replace: "x", a }}'),
  '{{ body.text | replace: "a", body.text }}{{ body.text | split: "" | sort | uniq | join: "," }}',
  `{{ body.text ${'| strip_html | escape | base64_encode '.repeat(300)} }}`,
  `{{ body.list ${'| sort | reverse '.repeat(700)} }}`,
  `{% assign a = body.text | split: "" %}{% if ${'a contains "y" or '.repeat(700)} false %}{% endif %}`,
  '{{ "now" | date: "%999999999d" }}{{ body.text | date: body.text }}',
  '{{ body.constructor.constructor }}{{ body.__proto__ }}{{ body.list.constructor }}{{ headers.constructor }}',
];

const bytes = (text) => Buffer.from(text, 'latin1');
/** The headers that name an event. */
export const EVENT = {
  ...{ 'x-github-event': 'push', 'x-gitea-event': 'push', 'sentry-hook-resource': 'issue' },
  'content-type': 'application/json',
};
/** Bodies that are not what they seem. */
export const hostileBodies = [
  '['.repeat(65_536),
  '{"a":'.repeat(13_000),
  `{"ref":${'9'.repeat(60_000)},"status":1e999,"id":-1e-999}`,
  `{"ref":"${'\\u0000'.repeat(100)}"}`,
  bytes('{"ref":"\xff\xfe\x80","object_kind":"push\xc3"}'),
  '{"__proto__":{"ref":"x"},"constructor":{"prototype":{"a":1}},"toString":1,"ref":{"toString":1}}',
  `{"object_kind":"push","ref":"a","commits":[${'{},'.repeat(90_000)}{}]}`,
  `{"status":"firing","groupKey":"k","alerts":[${'{"labels":{}},'.repeat(20_000)}{}]}`,
  `{"specversion":"1.0","id":"1","source":"a","type":"b","data_base64":"${'A'.repeat(280_000)}"}`,
  `{"type":"AdaptiveCard","body":[${'{"type":"TextBlock","text":"[a]("},'.repeat(8_000)}{}]}`,
  `{"@type":"MessageCard","text":"${'<at>'.repeat(70_000)}"}`,
];
/** Signatures that are long, many or of another encoding, by the preset of the verifier. */
export const hostileSignatures = (now) => {
  const long = 'a'.repeat(12_000);
  const many = (part) => part.repeat(Math.floor(12_000 / part.length));
  return [
    ['stripe', { 'stripe-signature': `t=${now},${many(`v1=${'a'.repeat(64)},`)}` }],
    ['stripe', { 'stripe-signature': many(`t=${now},`) }],
    ['stripe', { 'stripe-signature': `t=${'9'.repeat(12_000)},v1=${long}` }],
    ['stripe', { 'stripe-signature': many(',;') }],
    ['slack', { 'x-slack-request-timestamp': now, 'x-slack-signature': `v0=${long}` }],
    ['slack', { 'x-slack-request-timestamp': `${now}, ${now}`, 'x-slack-signature': many('v0=,') }],
    ['slack', { 'x-slack-request-timestamp': '1e9', 'x-slack-signature': 'v0=\xff\xfe' }],
    [
      'standard-webhooks',
      {
        'webhook-id': long.slice(0, 6_000),
        'webhook-timestamp': now,
        'webhook-signature': many('v1,A ').slice(0, 6_000),
      },
    ],
    [
      'standard-webhooks',
      { 'webhook-id': 'a', 'webhook-timestamp': now, 'webhook-signature': `v1,${many('=')}` },
    ],
    ['twilio', { 'x-twilio-signature': long, 'content-type': 'application/x-www-form-urlencoded' }],
    ['github', { 'x-hub-signature-256': `sha256=${'z'.repeat(64)}` }],
    ['telnyx', { 'telnyx-timestamp': now, 'telnyx-signature-ed25519': many('AAAA,') }],
    ['telnyx', { 'telnyx-timestamp': now, 'telnyx-signature-ed25519': long }],
  ];
};
