/**
 * Changes that no spec can notice, by module, and why: source text, what becomes of it, the reason. An entry that does
 * not survive any more fails the run.
 */
const MADE_ANEW = 'a connector that is made anew connects as well';
const QUICK = 'a quick answer that the slow way gives as well';
const JUDGED_AGAIN = 'more is judged in the end, with the same result';
const DECIMAL = String(/^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/);
const TOO_OFTEN = 'the exact count of the depth follows';

export const survivors = {
  text: [
    explained("!text.includes('~')", 'false', QUICK),
    explained("'~'", '""', QUICK),
    explained("!text.includes('`')", 'false', QUICK),
    explained("'`'", '""', QUICK),
    explained("!text.includes('@')", 'false', QUICK),
    explained("'@'", '""', QUICK),
    explained("'@'", '""', QUICK),
    explained("!message.includes('#')", 'false', QUICK),
    explained("'#'", '""', QUICK),
    explained("{ return ''; }", '{}', QUICK),
    explained('/\\s+/', '/\\s/', 'an empty word is no tag'),
    explained('[]', '["Stryker was here"]', 'a text is a field without a value'),
    explained("''", '"Stryker was here!"', 'it mentions nobody'),
    explained("!text.includes('<')", 'false', QUICK),
    explained("'<'", '""', QUICK),
    explained('{ return text; }', '{}', QUICK),
  ],
  splitting: [
    explained("''", '"Stryker was here!"', 'there is a piece of text at least, if an empty one'),
    explained(
      'longestJson(props) + longestJson(attachments) + OVERHEAD <= USABLE_PROPS_RUNES',
      'longestJson(props) + longestJson(attachments) + OVERHEAD < USABLE_PROPS_RUNES',
      QUICK,
    ),
    explained(
      'longestJson(props) + longestJson(attachments) + OVERHEAD',
      'longestJson(props) + longestJson(attachments) - OVERHEAD',
      'the keys of an attachment alone are overestimated by more',
    ),
    explained('runes <= room', 'runes < room', 'nothing is cut from what just fits'),
    explained('runes <= room', 'false', QUICK),
    explained('texts.length === 1 && attachments.length === 0', 'false', QUICK),
    explained("!('attachments' in props)", 'false', QUICK),
    explained('first === attachment', 'false', QUICK),
  ],
  paging: [
    explained('text !== undefined', 'true', 'nor are the letters of "undefined" a number'),
    explained("''", '"Stryker was here!"', 'neither is a spelling of true'),
  ],
  json: [
    explained('mayBeTooDeep(text)', 'true', QUICK),
    explained("text.includes('\\\\u') || text.includes('\\0')", 'true', QUICK),
    explained("'\\\\u'", '""', QUICK),
    explained("'\\0'", '""', QUICK),
    explained("'{'", '""', TOO_OFTEN),
    explained("'['", '""', TOO_OFTEN),
    explained('-1', '+1', TOO_OFTEN),
    explained('at + 1', 'at - 1', TOO_OFTEN),
    explained('++opened > MAX_JSON_DEPTH', 'true', TOO_OFTEN),
    explained('++opened > MAX_JSON_DEPTH', '++opened >= MAX_JSON_DEPTH', TOO_OFTEN),
    explained('++opened > MAX_JSON_DEPTH', '++opened <= MAX_JSON_DEPTH', TOO_OFTEN),
    explained('false', 'true', TOO_OFTEN),
    explained('i < text.length', 'i <= text.length', 'there is no character behind the last'),
    explained('-1', '+1', 'what begins no value is refused by its first character as well'),
  ],
  addresses: [
    explained('known', 'false', MADE_ANEW),
    explained('connectors.size >= MAX_CONNECTORS', 'true', MADE_ANEW),
    explained('connectors.size >= MAX_CONNECTORS', 'false', 'they take memory, and connect all the same'),
    explained('connectors.size >= MAX_CONNECTORS', 'connectors.size > MAX_CONNECTORS', MADE_ANEW),
    explained('connectors.size >= MAX_CONNECTORS', 'connectors.size < MAX_CONNECTORS', MADE_ANEW),
    explained("''", '"Stryker was here!"', 'a name without an address is refused before'),
    explained('first?.address', 'first.address', 'a name without an address is refused before'),
    explained('first?.family', 'first.family', 'a name without an address is refused before'),
    explained("''", '"Stryker was here!"', 'with an error, the address does not matter'),
    explained('/^\\[|\\]$/g', '/\\[|\\]$/g', 'hosts have brackets around them or none'),
    explained('/^\\[|\\]$/g', '/^\\[|\\]/g', 'hosts have brackets around them or none'),
  ],
  matching: [
    explained('triggers.length > 0', 'false', JUDGED_AGAIN),
    explained('trigger.isBlank', 'false', JUDGED_AGAIN),
    explained('word !== undefined', 'true', 'the table has found one'),
    explained("'anywhere'", '""', 'whatever is not "start"'),
    explained('this.entries.length === 0', 'false', QUICK),
    explained('this.byToken.size === 0', 'false', QUICK),
    explained('length > start.length', 'false', QUICK),
    explained('!lengths.includes(text.length)', 'true', 'a length that is tried twice finds the same'),
    explained('[]', '["Stryker was here"]', 'a text is no length'),
    explained('[]', '["Stryker was here"]', 'a text is no length'),
    explained('codePoint < TABLE_SIZE', 'false', QUICK),
    explained('codePoint < TABLE_SIZE', 'codePoint <= TABLE_SIZE', 'behind the table is no word character'),
    explained(
      'codePoint < TABLE_SIZE',
      'codePoint <= TABLE_SIZE',
      'an array of bytes takes nothing behind its end',
    ),
    explained('index === 0', 'false', 'before the text is no word character'),
    explained(
      'index < normalized.length',
      'index <= normalized.length',
      'every text gets the same further token',
    ),
    explained('character > 0xffff', 'false', 'half a character is a token as well'),
    explained('~character', 'character', 'tokens may be equal for different texts'),
    explained("' '", '""', 'a single space is replaced by itself'),
  ],
  attachments: [
    explained("''", '"Stryker was here!"', 'the sign is always matched, if as an empty text'),
    explained("''", '"Stryker was here!"', 'there is a digit'),
    explained("'0'", '""', 'there is an exponent'),
    explained(DECIMAL, DECIMAL.replace('/^', '/'), 'numbers are written in no other way'),
    explained(DECIMAL, DECIMAL.replace('$/', '/'), 'numbers are written in no other way'),
    explained(DECIMAL, DECIMAL.replace('\\d+', '\\d'), 'there is one digit before the point'),
    explained('point > 0', 'point >= 0', 'exponents begin at 21 and at -7'),
    explained("typeof raw === 'number'", 'true', 'Number.isFinite is false for all else'),
    explained("typeof raw !== 'number'", 'false', 'Number.isSafeInteger is false for all else'),
  ],
  invites: [
    explained("'utf8'", '""', 'the default'),
    explained('{ return undefined; }', '{}', 'the same without words'),
  ],
  bulkheads: [
    explained('index < QUEUES.length', 'index <= QUEUES.length', 'asks the first queue once more'),
    explained('lane && job', 'lane || job', 'a lane that is ready has a job'),
  ],
  redaction: [
    explained('!pattern', 'true', 'a cache: the pattern of a list is always the same'),
    explained('secret.length - 1', 'secret.length + 1', 'whole secrets are replaced before'),
  ],
  schedule: [explained("''", '"Stryker was here!"', 'neither is a Retry-After header')],
};

function explained(from, to, reason) {
  return { from, to, reason };
}
