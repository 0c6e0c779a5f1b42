/** Other processes serve this database. The message is shown to the operator. */
export class DatabaseOwned extends Error {
  override readonly name = 'DatabaseOwned';

  static byOne(what: string): DatabaseOwned {
    return new DatabaseOwned(
      `Another Hookline process already serves ${what}. One process owns the data; stop that one first.`,
    );
  }

  /** Processes with REDIS_URL are running, but this one needs exclusive access. */
  static byMany(count: number, what: string, remedy: string): DatabaseOwned {
    const processes = count === 1 ? 'A Hookline process' : `${count} Hookline processes`;
    return new DatabaseOwned(
      `${processes} with REDIS_URL already serve${count === 1 ? 's' : ''} ${what}. ${remedy}`,
    );
  }

  /** This process has REDIS_URL, but a process with exclusive access is running. */
  static byAlone(what: string): DatabaseOwned {
    return new DatabaseOwned(
      `Another Hookline process without REDIS_URL, or a command such as restore, already uses ${what}. Stop it first; ` +
        'processes that serve one database together all need the same REDIS_URL.',
    );
  }

  static bySlot(slot: number, what: string): DatabaseOwned {
    return new DatabaseOwned(
      `Another Hookline process has taken the place ${slot} of this one at ${what} while the connection was lost.`,
    );
  }

  static byStart(what: string): DatabaseOwned {
    return new DatabaseOwned(
      `Another Hookline process has been starting on ${what} for a minute, or began while this one lost its connection. ` +
        'If its migrations take so long, start this one after it.',
    );
  }

  static byAll(count: number, what: string): DatabaseOwned {
    return new DatabaseOwned(`${count} Hookline processes already serve ${what}. There is no room for more.`);
  }
}
