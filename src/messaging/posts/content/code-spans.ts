const FENCE = 3;

/**
 * `text` with code blanked out, in which nobody is mentioned: what stands between two equally long runs of backticks,
 * and what follows an opened fence of three or more. A single backtick without a partner is a character like any other.
 */
export function withoutCode(text: string): string {
  if (!text.includes('`')) return text;
  let result = '';
  let at = 0;
  /** Lengths of runs that do not occur again, so that no text is searched twice for one of them. */
  const lonely = new Set<number>();
  for (const run of text.matchAll(/`+/g)) {
    if (run.index < at) continue;
    const ticks = run[0].length;
    const start = run.index + ticks;
    const end = lonely.has(ticks) ? -1 : endOfCode(text, start, ticks);
    if (end === -1) {
      lonely.add(ticks);
      if (ticks < FENCE) continue;
      return result + text.slice(at, run.index);
    }
    result += `${text.slice(at, run.index)} `;
    at = end;
  }
  return result + text.slice(at);
}

/** The index behind the next run of exactly `ticks` backticks, or -1. */
function endOfCode(text: string, start: number, ticks: number): number {
  const runs = /`+/g;
  runs.lastIndex = start;
  for (let run = runs.exec(text); run; run = runs.exec(text)) {
    if (run[0].length === ticks) return runs.lastIndex;
  }
  return -1;
}
