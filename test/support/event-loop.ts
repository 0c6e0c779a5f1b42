/** The number of event loop turns during `work`: zero if the work runs on the loop itself. */
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
