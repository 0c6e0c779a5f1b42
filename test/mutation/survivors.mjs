/**
 * Changes that no spec can notice, by module, and why: source text, what becomes of it, the reason. An entry that does
 * not survive any more fails the run.
 */
const QUICK = 'a quick answer that the slow way gives as well';
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
