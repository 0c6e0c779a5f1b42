/** Several kinds of load at once, as one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '../support/api-client.mjs';
import { openStoredRows } from './stored-rows.mjs';

const ADMIN_PASSWORD = 'correct horse battery';
/** A long run creates more webhooks than a team may have. */
const CAPS = { INCOMING_WEBHOOKS_PER_TEAM: '1000000', OUTGOING_WEBHOOKS_PER_TEAM: '1000000' };

export class Loads {
  /** A client of the administrator. */
  admin;
  /** The database of the server. */
  rows;
  #loads;

  /** Each load has `prepare`, `begin`, `isFlowing`, `expectStop`, `end`, `check`, `close` and a `report`. */
  constructor(loads) {
    this.#loads = loads;
  }

  /** The settings of a server that these loads need, and others. */
  settings(env) {
    const own = this.#loads.map((load) => load.env ?? {});
    return Object.assign({}, env, ...own, CAPS, { ADMIN_PASSWORD, LOG_LEVEL: 'warn' });
  }

  /** Creates what the loads need on a started server, whose database is at `place`; returns its team. */
  async prepare(url, place) {
    this.admin = await new ApiClient(url).login('admin', ADMIN_PASSWORD);
    this.rows = await openStoredRows(place);
    const team = await this.admin.call('GET', '/teams/name/main');
    for (const load of this.#loads) await load.prepare({ admin: this.admin, team, rows: this.rows });
    return team;
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

  async close() {
    await this.rows?.close();
    await Promise.all(this.#loads.map((load) => load.close?.()));
  }
}
