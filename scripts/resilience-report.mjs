/** Shows what `test:crash` and `test:faults` report. */

/** Prints the figures of a report by words, and returns the faults in it. */
export function printReport(figures) {
  const faults = [];
  for (const [what, value] of Object.entries(flat(figures))) {
    console.log(`  ${what.padEnd(34)}${Array.isArray(value) ? value.length : Math.round(value)}`);
    if (Array.isArray(value)) faults.push(...value);
  }
  for (const fault of faults.slice(0, 30)) console.log(`  ! ${fault}`);
  return faults;
}

/** Figures by words: `slowestStartMs` of `posts` is `posts: slowest start ms`. */
function flat(figures, prefix = '') {
  return Object.assign(
    {},
    ...Object.entries(figures).map(([name, value]) => {
      const words = prefix + name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      return typeof value === 'number' || Array.isArray(value)
        ? { [words]: value }
        : flat(value, `${words}: `);
    }),
  );
}
