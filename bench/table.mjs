/** Formats figures for people. */
export function ms(value) {
  return value === undefined || value === null ? '' : value.toFixed(2);
}

export function table(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  console.log(`${lines.join('\n')}\n`);
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
