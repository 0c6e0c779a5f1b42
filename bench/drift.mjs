/** Checks that repeatedly read figures do not grow. */

/** How much the last third of the readings may exceed the first: by a factor, and by the noise of small figures. */
export const LIMITS = {
  liveMiB: { factor: 1.1, slack: 4 },
  rssMiB: { factor: 1.15, slack: 16 },
  handles: { factor: 1, slack: 8 },
  loopDelayMs: { factor: 1.5, slack: 5 },
  p50: { factor: 1.5, slack: 1 },
  p99: { factor: 2, slack: 10 },
};

/**
 * The figures that have grown beyond their limit, as medians of the first and the last third of the readings.
 *
 * @param {readonly Readonly<Record<string, number>>[]} readings figures by name; `post p99` has the limit of `p99`
 */
export function findDrifts(readings) {
  const third = Math.floor(readings.length / 3);
  if (third < 1) throw new Error(`${readings.length} readings show no drift; three are needed.`);
  return Object.keys(readings[0])
    .map((name) => {
      const { factor, slack } = LIMITS[name.split(' ').at(-1)];
      const first = middle(readings.slice(0, third), name);
      const last = middle(readings.slice(-third), name);
      return { name, first, last, isBeyond: last > first * factor + slack };
    })
    .filter(({ isBeyond }) => isBeyond)
    .map(({ name, first, last }) => ({ name, first, last }));
}

function middle(readings, name) {
  const sorted = readings.map((reading) => reading[name]).sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}
