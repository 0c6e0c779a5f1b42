/** How often the event loop turns while `work` is going on: never, if the work is done on the loop itself. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    await work();
    return turns;
  } finally {
    isOver = true;
  }
}
