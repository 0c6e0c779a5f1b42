import { readWebhookMessage } from './webhook-message.js';
import { readSlackBlocks, textOfBlocks } from './slack-blocks.js';

const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const rich = (...elements: unknown[]) => ({ type: 'rich_text', elements });
const section = (...elements: unknown[]) => ({ type: 'rich_text_section', elements });

describe('readSlackBlocks', () => {
  it.each([
    [{ type: 'header', text: plain('Build 812') }, '#### Build 812'],
    [{ type: 'section', text: mrkdwn('*green*') }, '*green*'],
    [{ type: 'section', fields: [mrkdwn('a'), plain('b')] }, 'a\nb'],
    [{ type: 'markdown', text: '**as it is**' }, '**as it is**'],
    [{ type: 'divider' }, '---'],
    [{ type: 'context', elements: [plain('by'), mrkdwn('ada')] }, 'by ada'],
    [
      { type: 'actions', elements: [{ type: 'button', text: plain('Open'), url: 'https://host/1' }] },
      '[Open](https://host/1)',
    ],
    [{ type: 'video', title: plain('Demo'), title_url: 'https://host/v' }, '[Demo](https://host/v)'],
    [
      rich(
        section(
          { type: 'text', text: 'bold', style: { bold: true, italic: true } },
          { type: 'text', text: ' and ' },
          { type: 'link', url: 'https://host' },
          { type: 'emoji', name: 'wave' },
          { type: 'user', user_id: 'U1' },
          { type: 'broadcast', range: 'here' },
          { type: 'date', fallback: ' today' },
        ),
      ),
      '**_bold_** and https://host:wave:<@U1>@here today',
    ],
    [
      rich(section({ type: 'link', url: 'https://host/ @all\n# h ![i](http://e) <!here>' })),
      'https://host/ @\u200ball # h !\\[i\\](http://e) \0<!here>',
    ],
    [rich(section({ type: 'link', text: 't', url: 'https://host/@all`' })), '[t](https://host/%40all%60)'],
    [
      rich({ type: 'rich_text_list', style: 'ordered', elements: [section({ type: 'text', text: 'one' })] }),
      '1. one',
    ],
    [rich({ type: 'rich_text_quote', elements: [{ type: 'text', text: 'a\nb' }] }), '> a\n> b'],
    [rich({ type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'x' }] }), '```\nx\n```'],
    [
      rich(
        section(
          { type: 'text', text: ' <!here> *x*\n@all ', style: { bold: true } },
          { type: 'text', text: 'a ` <!here>', style: { code: true } },
          { type: 'text', text: '`b`', style: { code: true, italic: true } },
          { type: 'link', url: 'https://host/a_(b) c', text: '[a]', style: { strike: true } },
          { type: 'link', url: 'javascript:alert(1)', text: 'no' },
          { type: 'broadcast', range: 'everyone' },
        ),
      ),
      ' **\0<!here> \\*x\\***\n**@\u200ball** ``a ` \0<!here>``_`` `b` ``_~~[\\[a\\]](https://host/a_%28b%29%20c)~~no@all',
    ],
    [
      rich({
        type: 'rich_text_preformatted',
        elements: [
          { type: 'text', text: '```<!here> *x*\n' },
          { type: 'link', url: 'https://host', text: '' },
          { type: 'link', url: 'https://host' },
        ],
      }),
      '````\n```\0<!here> *x*\nhttps://host\n````',
    ],
    [{ type: 'header', text: plain('*Build*\n812') }, '#### \\*Build\\* 812'],
    [{ type: 'section', text: { ...mrkdwn('*a* @all <!here>'), verbatim: true } }, '*a* @\u200ball <!here>'],
    [
      { type: 'actions', elements: [{ type: 'button', text: plain('a]\n<!here>'), url: 'https://host/1' }] },
      '[a\\] \0<!here>](https://host/1)',
    ],
  ])('renders %j', (block, text) => {
    expect(readSlackBlocks([block])).toEqual({ text, pictures: [], notUnderstood: 0 });
  });

  it('closes open fences of a block', () => {
    const open = { type: 'section', text: mrkdwn('```\na') };
    expect(readSlackBlocks([open, open]).text).toBe('```\na\n```\n\n```\na');
  });

  it('turns images into attachments', () => {
    const picture = { type: 'image', image_url: 'https://host/i.png', alt_text: 'A graph' };
    expect(readSlackBlocks([picture, { type: 'section', text: mrkdwn('load'), accessory: picture }])).toEqual(
      {
        text: 'load',
        pictures: Array(2).fill({ fallback: 'A graph', title: 'A graph', image_url: 'https://host/i.png' }),
        notUnderstood: 0,
      },
    );
  });

  it.each([
    [5],
    [{ type: 'table', rows: [] }],
    [{ type: 'image' }],
    [{ type: 'actions', elements: [{ type: 'static_select' }] }],
    [{ type: 'section', accessory: { type: 'overflow' } }],
    [rich({ type: 'rich_text_section', elements: [{ type: 'color' }] })],
    [rich({ type: 'rich_text_table' })],
  ])('counts %j as unknown', (block) => {
    expect(readSlackBlocks([block])).toEqual({ text: '', pictures: [], notUnderstood: 1 });
  });
});

describe('textOfBlocks', () => {
  it('finds texts at any depth', () => {
    const blocks = [
      { type: 'text', text: 'Deployed.' },
      { type: 'divider' },
      { type: 'container', blocks: [{ type: 'button', text: 'Roll back', action_id: 'back' }] },
      { type: 'image', url: 'https://host/i.png', alt_text: 'A graph' },
      null,
      5,
    ];
    expect(textOfBlocks(blocks)).toBe('Deployed.\n---\nRoll back\nA graph');
  });
});

describe('a message with blocks', () => {
  const blocks = [{ type: 'header', text: plain('Build') }, { type: 'table' }];

  it('uses their text if it has none', () => {
    expect(readWebhookMessage({ blocks })).toMatchObject({ text: '#### Build', notUnderstood: 1 });
    expect(readWebhookMessage({ blocks }).attachments).toBeUndefined();
  });

  it('puts them into an attachment below its own text, unless both are equal', () => {
    const { text, attachments } = readWebhookMessage({ blocks, text: 'Build 812' });
    expect([text, attachments]).toEqual(['Build 812', [{ text: '#### Build' }]]);
    for (const same of [mrkdwn('Build *812*'), plain('Build *812*')]) {
      const message = readWebhookMessage({ blocks: [{ type: 'section', text: same }], text: 'Build *812*' });
      expect(message.attachments).toBeUndefined();
    }
  });

  it('renders the blocks of an attachment in the attachment', () => {
    const attachments = [
      { color: 'good', blocks },
      { text: 'kept', blocks },
    ];
    expect(readWebhookMessage({ attachments })).toMatchObject({
      attachments: [{ color: 'good', text: '#### Build' }, { text: 'kept' }],
      notUnderstood: 1,
    });
  });

  it('uses the text of props.mm_blocks if it has none, and keeps the blocks', () => {
    const props = { mm_blocks: [{ type: 'text', text: 'Deployed.' }] };
    expect(readWebhookMessage({ props })).toMatchObject({ text: 'Deployed.', props });
    expect(readWebhookMessage({ props, text: 'Own' })).toMatchObject({ text: 'Own', props });
    const silent = { mm_blocks: [{ type: 'space' }] };
    expect(readWebhookMessage({ props: silent }).text).toBe('(This message has blocks that have no text.)');
    expect(readWebhookMessage({ props: { mm_blocks: [] } }).text).toBe('');
  });

  it('ignores blocks that are not a list', () => {
    expect(readWebhookMessage({ blocks: 'x', text: 'hi' })).toEqual(readWebhookMessage({ text: 'hi' }));
  });
});
