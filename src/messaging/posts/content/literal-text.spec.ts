import { findMentions, mentionsEveryone } from './mentions.js';
import { joinInline, literalBlock, literalCode, literalText, withoutNames } from './literal-text.js';

const GAP = '\u200b';

describe('literalText', () => {
  it.each([
    'Build 812 is green: 1,204 tests (INFO) in C:\\Users, snake_case, a | b, 5 - 3, #812, ~ 3 s',
    'https://host/_a_*b*?c=~d ada@example.com',
    '-5 +1 #tag 1.5',
  ])('leaves %j as it is', (text) => {
    expect(literalText(text)).toBe(text);
  });

  it.each([
    ['*x* _x_ `x` ~~x~~ __x__', '\\*x\\* \\_x\\_ \\`x\\` \\~\\~x\\~~ \\_\\_x\\_\\_'],
    ['[a](b) [a]: b ![a](b)', '\\[a\\](b) \\[a\\]: b !\\[a\\](b)'],
    ['\\*x \\', '\\\\\\*x \\\\'],
    [
      '# a\n> b\n- c\n+ d\n1. e\n2) f\n---\n***',
      '\\# a\n\\> b\n\\- c\n\\+ d\n1\\. e\n2\\) f\n\\---\n\\*\\*\\*',
    ],
    ['a | b\n--- | ---\n|:-|', 'a | b\n\\--- | ---\n\\|:-|'],
    ['a | b\n:--|--:\n:|:', 'a | b\n:\\--|--:\n:\\|:'],
    ['a\n===\nb\n     =-=', `a\n${GAP}===\nb\n${GAP}     =-=`],
    ['a\u2424#\u00a0b', 'a\n\\#\u00a0b'],
    ['https://host/[a](https://b)?c[]=d', 'https://host/%5Ba%5D(https://b)?c%5B%5D=d'],
    ['https://[::1]:80/[a] https://[a](b)', 'https://[::1]:80/%5Ba%5D https://%5Ba%5D(b)'],
    ['~~~\n```', '\\~\\~~\n\\`\\`\\`'],
    ['@all @ada. a@b', `@${GAP}all @${GAP}ada. a@b`],
    ['https://host/@ada', 'https://host/%40ada'],
    ['<!here> <https://a|b> <@U1>', `\0<!here> \\\0<https://a|b> \0<@${GAP}U1>`],
    [
      '<https://a> <mailto:a@b.c> <a@b.c> \\<x:y>',
      '\\\0<https://a> \\\0<mailto:a@b.c> \\\0<a@b.c> \\\\\0<x:y>',
    ],
    ['a <b c> <d', 'a \0<b c> \0<d'],
  ])('escapes %j as %j', (text, markdown) => {
    expect(literalText(text)).toBe(markdown);
  });

  it.each(['@all', '@@all', 'é@here', '(@ada)', '`@all', '\\@channel', '<@ada>', '@', 'https://host/@all'])(
    'mentions no user with %j, no matter what follows',
    (text) => {
      const markdown = `${literalText(text)}here`;
      expect([findMentions([markdown]), mentionsEveryone(markdown)]).toEqual([[], false]);
    },
  );
});

describe('literalCode', () => {
  it.each([
    ['a *b*', '`a *b*`'],
    ['a ` b', '``a ` b``'],
    ['`a`', '`` `a` ``'],
    ['a\n\n<b', '`a`\n\n`\0<b`'],
    [' ', ' '],
  ])('escapes %j as %j', (text, markdown) => {
    expect(literalCode(text)).toBe(markdown);
  });
});

describe('literalBlock', () => {
  it('uses a fence longer than those in the text', () => {
    expect(literalBlock('a <b')).toBe('```\na \0<b\n```');
    expect(literalBlock('```\na\n```')).toBe('````\n```\na\n```\n````');
  });
});

describe('withoutNames', () => {
  it('keeps markup and code', () => {
    const text = '*a* @all ~builds `@all` <@U1> <https://host/@ada|@ada> https://host/~ada a@b';
    expect(withoutNames(text)).toBe(
      `*a* @${GAP}all ~${GAP}builds \`@all\` <@U1> <https://host/%40ada|@${GAP}ada> https://host/~ada a@b`,
    );
  });
});

describe('joinInline', () => {
  it('skips code', () => {
    expect(joinInline(['a', '`b`', '`c`', ' d'])).toBe(`a\`b\`${GAP}\`c\` d`);
  });
});
