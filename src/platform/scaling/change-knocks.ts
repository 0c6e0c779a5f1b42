import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../database/changes/change-log.js';
import { CHANGES_KEPT_MS, SharedChanges } from '../database/changes/shared-changes.js';
import { Purge } from '../database/purge.js';
import { Bus } from './bus.js';

const TOPIC = 'changes';

/** Notifies the other processes of new rows in the change log, so that they read them at once. */
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
      if (loss === 'commit') bus.skip(); // the announcement that would have followed the commit
    });
    purge.register({
      rows: 'changes',
      retentionMs: () => CHANGES_KEPT_MS,
      deleteBefore: (time, limit) => changes.deleteBefore(time, limit),
    });
  }

  /** Sends one message per turn of the event loop. None while Redis is down, since the others would notice a gap. */
  private knock(): void {
    if (this.isKnocking) return;
    this.isKnocking = true;
    setImmediate(() => {
      this.isKnocking = false;
      if (this.bus.isConnected) this.bus.publish(TOPIC, {});
    });
  }
}
