/**
 * Mutations that no spec can detect, by module: source text, replacement, reason. An entry that is detected fails the
 * run.
 */
const NEW_CONNECTOR = 'a new connector connects as well';
const QUICK = 'a fast path: the slow path gives the same result';
const TESTED_AGAIN = 'more is tested in the end, with the same result';
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
    explained('/\\s+/', '/\\s/', 'an empty word is not a tag'),
    explained('[]', '["Stryker was here"]', 'a text is a field without a value'),
    explained("''", '"Stryker was here!"', 'it mentions nobody'),
    explained("!text.includes('<')", 'false', QUICK),
    explained("'<'", '""', QUICK),
    explained('{ return text; }', '{}', QUICK),
  ],
  splitting: [
    explained("''", '"Stryker was here!"', 'there is at least one piece of text, even if empty'),
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
    explained('runes <= room', 'runes < room', 'nothing is cut from a text that just fits'),
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
    explained('i < text.length', 'i <= text.length', 'there is no character after the last'),
    explained('-1', '+1', 'an invalid value is also refused by its first character'),
  ],
  addresses: [
    explained('known', 'false', NEW_CONNECTOR),
    explained('connectors.size >= MAX_CONNECTORS', 'true', NEW_CONNECTOR),
    explained('connectors.size >= MAX_CONNECTORS', 'false', 'they use memory, but connect'),
    explained('connectors.size >= MAX_CONNECTORS', 'connectors.size > MAX_CONNECTORS', NEW_CONNECTOR),
    explained('connectors.size >= MAX_CONNECTORS', 'connectors.size < MAX_CONNECTORS', NEW_CONNECTOR),
    explained("''", '"Stryker was here!"', 'a name without an address is refused before'),
    explained('first?.address', 'first.address', 'a name without an address is refused before'),
    explained('first?.family', 'first.family', 'a name without an address is refused before'),
    explained("''", '"Stryker was here!"', 'with an error, the address does not matter'),
    explained('/^\\[|\\]$/g', '/\\[|\\]$/g', 'hosts have two brackets or none'),
    explained('/^\\[|\\]$/g', '/^\\[|\\]/g', 'hosts have two brackets or none'),
  ],
  matching: [
    explained('triggers.length > 0', 'false', TESTED_AGAIN),
    explained('trigger.isBlank', 'false', TESTED_AGAIN),
    explained('word !== undefined', 'true', 'the table has found one'),
    explained("'anywhere'", '""', 'whatever is not "start"'),
    explained('this.entries.length === 0', 'false', QUICK),
    explained('this.byToken.size === 0', 'false', QUICK),
    explained('length > start.length + 1', 'false', QUICK),
    explained('!lengths.includes(text.length)', 'true', 'a length that is tried twice finds the same'),
    explained('[]', '["Stryker was here"]', 'a text is not a length'),
    explained('[]', '["Stryker was here"]', 'a text is not a length'),
    explained('codePoint < TABLE_SIZE', 'false', QUICK),
    explained(
      'codePoint < TABLE_SIZE',
      'codePoint <= TABLE_SIZE',
      'there is no word character beyond the table',
    ),
    explained(
      'codePoint < TABLE_SIZE',
      'codePoint <= TABLE_SIZE',
      'a byte array ignores writes beyond its end',
    ),
    explained('index === 0', 'false', 'there is no word character before the text'),
    explained(
      'index < normalized.length',
      'index <= normalized.length',
      'every text gets the same additional token',
    ),
    explained('character > 0xffff', 'false', 'half a character is a token as well'),
    explained('~character', 'character', 'tokens may be equal for different texts'),
    explained("' '", '""', 'a single space is replaced by itself'),
  ],
  attachments: [
    explained("''", '"Stryker was here!"', 'the sign always matches, even if empty'),
    explained("''", '"Stryker was here!"', 'there is a digit'),
    explained("'0'", '""', 'there is an exponent'),
    explained(DECIMAL, DECIMAL.replace('/^', '/'), 'numbers have no other form'),
    explained(DECIMAL, DECIMAL.replace('$/', '/'), 'numbers have no other form'),
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
    explained('index < QUEUES.length', 'index <= QUEUES.length', 'asks the first queue again'),
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
