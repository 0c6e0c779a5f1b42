/** How often the event loop turns while `work` is going on. Work on the loop itself stops it. */
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
