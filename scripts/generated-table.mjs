/** A table that the formatter leaves alone. Without padding, a change of one row changes one line. */
export function unformatted(rows) {
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`.replace(/ {2,}/g, ' '));
  return `\n<!-- prettier-ignore-start -->\n\n${lines.join('\n')}\n\n<!-- prettier-ignore-end -->\n\n`;
}
