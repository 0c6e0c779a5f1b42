/**
 * Group commit: one commit at a time, with all the rows that have arrived during the previous one.
 *
 * @param {(groups: Map<string, unknown[][]>) => unknown} insert stores rows by table in one commit
 * @returns {(rows: [table: string, values: unknown[]][]) => Promise<void>}
 */
export function batches(insert) {
  let waiting = [];
  let isFlying = false;

  async function fly() {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const groups = new Map();
      for (const { rows } of batch)
        for (const [table, values] of rows) {
          const group = groups.get(table);
          if (group) group.push(values);
          else groups.set(table, [values]);
        }
      await insert(groups);
      for (const { resolve } of batch) resolve();
    }
    isFlying = false;
  }

  return (rows) =>
    new Promise((resolve) => {
      waiting.push({ rows, resolve });
      if (isFlying) return;
      isFlying = true;
      setImmediate(fly);
    });
}
