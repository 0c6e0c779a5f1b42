import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../database/changes/change-log.js';
import { CHANGES_KEPT_MS, SharedChanges } from '../database/changes/shared-changes.js';
import { Purge } from '../database/purge.js';
import { Bus } from './bus.js';

const TOPIC = 'changes';

/** Lets the other processes know when there is something new in the change log, so that they read it at once. */
@Injectable()
export class ChangeKnocks {
  private isKnocking = false;

  constructor(
    changes: ChangeLog,
    purge: Purge,
    private readonly bus: Bus,
  ) {
    if (!(changes instanceof SharedChanges)) return;
    changes.onCommitted = () => this.knock();
    bus.subscribe(TOPIC, () => changes.look());
    changes.onLost((loss) => {
      if (loss === 'commit') bus.skip(); // what it would have told them after the commit
    });
    purge.register({
      rows: 'changes',
      retentionMs: () => CHANGES_KEPT_MS,
      deleteBefore: (time, limit) => changes.deleteBefore(time, limit),
    });
  }

  /**
   * One message for what is committed in one turn of the event loop. None while there is no way to the others: they read it all
   * the same, and a message that they miss lets their clients come back.
   */
  private knock(): void {
    if (this.isKnocking) return;
    this.isKnocking = true;
    setImmediate(() => {
      this.isKnocking = false;
      if (this.bus.isConnected) this.bus.publish(TOPIC, {});
    });
  }
}
