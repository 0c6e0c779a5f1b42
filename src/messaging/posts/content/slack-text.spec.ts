import { type Attachment, normaliseAttachments } from './attachments.js';
import { convertAttachments, convertText, mentionedUserIds } from './slack-text.js';

const ANNA = 'a'.repeat(25) + '1';
const BERT = 'b'.repeat(25) + '2';
const users = (id: string) => ({ [ANNA]: 'anna', [BERT]: 'bert' })[id];

describe('convertText', () => {
  it.each([
    ['plain text', 'plain text'],
    ['<!channel> <!here> <!all>', '@channel @here @all'],
    [`hi <@${ANNA}>, <@${BERT}>`, 'hi @anna, @bert'],
    ['<@unknown1> <@no-id> <@>', '<@unknown1> <@no-id> <@>'],
    ['<https://host|Label>', '[Label](https://host)'],
    ['see <https://host|a label> and <http://x|y>.', 'see [a label](https://host) and [y](http://x).'],
    ['<mailto:a@b.c|a@b.c>', '[a@b.c](mailto:a@b.c)'],
    ['<#C123|name>', '[name](#C123)'],
    ['<http://x|<!here>>', '[@here](http://x)'],
    [`<http://x|<@${ANNA}>>`, '[@anna](http://x)'],
    ['<!here|here> <!channel|@channel> <!all|everybody> <!here|>', '@here @channel @all @here'],
    ['<!everyone> <!everyone|everyone> <!group> <!group|group>', '@all @all @channel @channel'],
    ['<!subteam^S1|@team>', '@team'],
    ['<!date^1392734382^Posted {date_num} at {time}|yesterday, 9 am>', 'yesterday, 9 am'],
    [`<@${ANNA}|ann> <@unknown1|eve>`, '@anna eve'],
    ['<!date^1392734382^{date}^https://x|yesterday>', 'yesterday'],
    ['<a <http://x|y>', '<a [y](http://x)'],
    ['<http://x|a<b>', '[a<b](http://x)'],
    ['<http://x|a|b> c|d>', '[a|b](http://x) c|d>'],
    ['<HTTPS://host|a> <irc://host/room|b> <tel:1|c>', '[a](HTTPS://host) [b](irc://host/room) [c](tel:1)'],
    ['a <b|c <http://x|y> <|http://x|y>', 'a <b|c [y](http://x) <|http://x|y>'],
    ['<http://x|fix `a`> `<http://x|y>`', '[fix `a`](http://x) `<http://x|y>`'],
    ['<ftp://a/b|c> <ssh://a|y> <slack://a|y>', '[c](ftp://a/b) [y](ssh://a) [y](slack://a)'],
    ['<https://a.b/)|p> <https://a.b/(c)|p>', '[p](https://a.b/%29) [p](https://a.b/%28c%29)'],
    ['<http://a.b|a]b> <http://a.b|[1] `c]`>', '[a\\]b](http://a.b) [\\[1\\] `c]`](http://a.b)'],
    ['<https://a.b|c\\> <https://a.b|c\\]>', '[c\\\\](https://a.b) [c\\]](https://a.b)'],
    ['<https://a.b/c\\|p>', '[p](https://a.b/c%5C)'],
    ['a <javascript:alert(1)|label>', 'a label'],
    ['<DATA:text/html,x|b> <vbscript://x|c> <blob:https://x|d>', 'b c d'],
    ['<mattermost://host/team|label>', '[label](mattermost://host/team)'],
  ])('turns %j into %j', (text, expected) => {
    expect(convertText(text, users)).toBe(expected);
  });

  it.each([
    '<http://bare.example>',
    '<!subteam^S1>',
    'a <!flag|mask> b',
    '<!unknown^with^more|shown> <!subteam|x>',
    '<!unknown> <!date^1^{date}> <!here\n|here>',
    '&lt;a|b&gt; &amp;',
    '<>|<|>|<a|>|<|b>',
    '<a|b\nc>',
    'if (a < b || c > d) { x <<= 1 | 2; }',
    'cat <in.txt | sort >out.txt',
    'cat <https://host/in.txt | sort >out.txt',
    'std::map<A|B> std::map<std::string|int> Map<key:int|string> <C:|D>',
    '<java&#115;cript:alert(1)|label>',
    '<http://x|two\nlines>',
    '<http://x y|label>',
    '`<!here>` ``<!all> ` <http://x|y>``',
    `\`<@${ANNA}>\``,
    '```\n<!here> <http://x|y>\n```',
    '~~~log\n<!here> <http://x|y>\n~~~',
    'a\n```\n<!here> <http://x|y>',
    '<http://x|a `b> c`',
    '<',
  ])('leaves %j alone', (text) => {
    expect(convertText(text, users)).toBe(text);
  });
});

describe('convertAttachments', () => {
  const markup = `<!here> <@${ANNA}> <http://x|a|b>`;
  const all = '@here @anna [a|b](http://x)';
  const mentions = '@here @anna <http://x|a|b>';
  const texts = { fallback: markup, author_name: markup, footer: markup };
  const converted = { pretext: markup, title: markup, text: markup };
  const attachments = normaliseAttachments([
    { ...texts, ...converted, fields: [{ title: markup, value: markup }, { title: 'none' }] },
    { text: 'plain' },
  ])!;

  it('converts each field by its own rule', () => {
    const before = structuredClone(attachments);
    const [first, second] = convertAttachments(attachments, users);
    const fields = [
      { title: markup, value: all },
      { title: 'none', value: null },
    ];
    expect(first).toMatchObject({ ...texts, pretext: all, title: mentions, text: all, fields });
    expect(second).toEqual(attachments[1]);
    expect(attachments).toEqual(before);
  });

  it('lists the users of every converted field', () => {
    const [base] = normaliseAttachments([{}]) as [Attachment];
    const mention = (n: number) => `<@${String(n).padStart(26, '0')}>`;
    const ids = mentionedUserIds(`${mention(1)} ${mention(1)} <@short>`, [
      { ...base, pretext: mention(2), text: mention(3), title: mention(4), fallback: mention(9) },
      {
        ...base,
        fields: [
          { title: mention(9), value: mention(5), short: false },
          { title: '', value: null, short: true },
        ],
      },
    ]);
    expect(ids.map(Number)).toEqual([1, 2, 3, 4, 5]);
    expect(mentionedUserIds(`<@${ANNA}|ann>`)).toEqual([ANNA]);
    expect(mentionedUserIds('nobody')).toEqual([]);
  });

  it('lists at most 200 users of text and attachments together', () => {
    const [base] = normaliseAttachments([{}]) as [Attachment];
    const numbers = Array.from({ length: 300 }, (_, index) => index);
    const mentions = numbers.map((n) => `<@${String(n).padStart(26, '0')}>`);
    const text = mentions.slice(150).join('');
    const ids = mentionedUserIds(mentions.slice(0, 150).join(''), [{ ...base, text, title: text }]);
    expect(ids.map(Number)).toEqual(numbers.slice(0, 200));
  });
});
