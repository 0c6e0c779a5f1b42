/** Several kinds of load at once, as one. */
import { setTimeout as sleep } from 'node:timers/promises';

export class Loads {
  #loads;

  /** Each load has `prepare`, `begin`, `isFlowing`, `expectStop`, `end`, `check`, `close` and a `report`. */
  constructor(loads) {
    this.#loads = loads;
  }

  async prepare(place) {
    for (const load of this.#loads) await load.prepare(place);
  }

  /** Starts a round, and resolves once it is running. */
  async begin(round, url) {
    for (const load of this.#loads) load.begin(round, url);
    while (!this.#loads.every((load) => load.isFlowing)) await sleep(5);
  }

  expectStop() {
    for (const load of this.#loads) load.expectStop();
  }

  end() {
    return Promise.all(this.#loads.map((load) => load.end()));
  }

  check(url, round, isLast) {
    return Promise.all(this.#loads.map((load) => load.check(url, round, isLast)));
  }

  /** The faults that the loads and other reports have found. */
  faults(...reports) {
    return [...reports, ...this.#loads.map((load) => load.report)]
      .flatMap((each) => Object.entries(each))
      .flatMap(([name, value]) => (name !== 'plans' && Array.isArray(value) ? value : []));
  }

  close() {
    return Promise.all(this.#loads.map((load) => load.close()));
  }
}
