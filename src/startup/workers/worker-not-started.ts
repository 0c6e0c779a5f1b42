/** A worker ended before it was ready. The message is empty where the worker has told the reason itself. */
export class WorkerNotStarted extends Error {
  constructor(name: string, how: number | NodeJS.Signals) {
    super(how === 1 ? '' : `${name} ended (${how}) before it was ready.`);
    this.name = new.target.name;
  }
}
