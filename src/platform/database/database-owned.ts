/** Other processes serve this database. The message is shown to the operator. */
export class DatabaseOwned extends Error {
  override readonly name = 'DatabaseOwned';

  static byOne(what: string): DatabaseOwned {
    return new DatabaseOwned(
      `Another Hookline process is already using ${what}. Only one process can use the data; stop that one first.`,
    );
  }

  /** Processes with REDIS_URL are running, but this one needs exclusive access. */
  static byMany(count: number, what: string, remedy: string): DatabaseOwned {
    const processes = count === 1 ? 'A Hookline process' : `${count} Hookline processes`;
    return new DatabaseOwned(
      `${processes} with REDIS_URL already use${count === 1 ? 's' : ''} ${what}. ${remedy}`,
    );
  }

  /** This process has REDIS_URL, but a process with exclusive access is running. */
  static byAlone(what: string): DatabaseOwned {
    return new DatabaseOwned(
      `Another Hookline process without REDIS_URL, or a command such as restore, is already using ${what}. Stop it first; ` +
        'processes that share one database all require the same REDIS_URL.',
    );
  }

  static bySlot(slot: number, what: string): DatabaseOwned {
    return new DatabaseOwned(
      `Another Hookline process has taken the slot ${slot} of this one at ${what} while the connection was lost.`,
    );
  }

  static byStart(what: string): DatabaseOwned {
    return new DatabaseOwned(
      `Another Hookline process has been starting on ${what} for a minute, or started while this one lost its connection. ` +
        'If its migrations take that long, start this one after it.',
    );
  }

  static byAll(count: number, what: string): DatabaseOwned {
    return new DatabaseOwned(`${count} Hookline processes already use ${what}, which is the maximum.`);
  }
}
