type Fields = Record<string, unknown>;

/** What a terminal would act on instead of showing it, such as colours or a line that pretends to be another. */
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** One line of the JSON log for a person: time, level, who speaks, what is said, and the other fields. */
export function readableLine(json: string): string {
  const { time, level, context, msg, stack, ...fields } = JSON.parse(json) as Fields;
  const { text, rest } = msg === 'request' ? request(fields) : { text: plain(msg), rest: fields };
  const parts = [
    clock(time),
    plain(level).toUpperCase().padEnd(5),
    context === undefined ? '' : `[${plain(context)}]`,
    text,
    ...Object.entries(rest).map(([name, value]) => `${plain(name)}=${plain(value)}`),
  ];
  return `${parts.filter((part) => part !== '').join(' ')}\n${stack === undefined ? '' : indented(stack)}`;
}

/** The line of an answered request, as one reads it: what was asked, and how it was answered. */
function request({ method, route, status, ms, ...rest }: Fields): { text: string; rest: Fields } {
  return { text: `${plain(method)} ${plain(route)} ${plain(status)} in ${plain(ms)} ms`, rest };
}

/** The local time of day. */
function clock(time: unknown): string {
  const date = new Date(String(time));
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

function indented(stack: unknown): string {
  return String(stack)
    .split('\n')
    .map((line) => `    ${plain(line.trim())}\n`)
    .join('');
}

function plain(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.replace(CONTROL, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
    return character === '\n' ? '\\n' : `\\u${code}`;
  });
}
