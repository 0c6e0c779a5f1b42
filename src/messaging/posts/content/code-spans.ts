const FENCE = 3;

/**
 * Replaces code in `text` by a space, since mentions in code do not count. Code is the text between two runs of equally
 * many backticks, and everything after an unclosed fence of three or more. Other unmatched backticks are plain text.
 */
export function withoutCode(text: string): string {
  if (!text.includes('`')) return text;
  const texts: string[] = [];
  let at = 0;
  for (const run of text.matchAll(/`+/g)) {
    if (run.index < at) continue;
    const ticks = run[0].length;
    const start = run.index + ticks;
    const end = endOfCode(text, start, ticks);
    if (end === -1) {
      if (ticks < FENCE) continue;
      return [...texts, text.slice(at, run.index)].join(' ');
    }
    texts.push(text.slice(at, run.index));
    at = end;
  }
  return [...texts, text.slice(at)].join(' ');
}

/** The index after the next run of exactly `ticks` backticks, or -1. */
function endOfCode(text: string, start: number, ticks: number): number {
  const runs = /`+/g;
  runs.lastIndex = start;
  for (let run = runs.exec(text); run; run = runs.exec(text)) {
    if (run[0].length === ticks) return runs.lastIndex;
  }
  return -1;
}
