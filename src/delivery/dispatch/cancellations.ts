import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { Sequence } from '../../platform/common/sequence.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryKinds } from './delivery-kind.js';
import { DispatcherService } from './dispatcher.service.js';

const STEP_EVERY_MS = 250;
/** Number of deliveries cancelled by one statement. */
const SLICE = 1_000;

/** An owner's open deliveries to cancel, to one URL or to all. */
export interface Cancelled {
  readonly ownerId: string;
  readonly reason: string;
  readonly url: string | undefined;
}

interface Work extends Cancelled {
  /** Only deliveries before this one are cancelled. */
  readonly beforeSeq: number;
}

/**
 * Cancels open deliveries: the first slice in the transaction that triggers it, any others afterwards, slice
 * by slice, so that no request waits for a hundred thousand rows. None is called in the meantime, because each is
 * checked before its call; this also covers what is left if the process exits.
 */
@Injectable()
export class Cancellations implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly steps = new PeriodicTask(Cancellations.name, 'Deliveries cannot be cancelled.', () =>
    this.step(),
  );
  private readonly works: Work[] = [];

  constructor(
    private readonly repository: DeliveriesRepository,
    private readonly kinds: DeliveryKinds,
    private readonly dispatcher: DispatcherService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly sequence: Sequence,
  ) {}

  onApplicationBootstrap(): void {
    this.steps.start(STEP_EVERY_MS);
  }

  onApplicationShutdown(): Promise<void> {
    return this.steps.stop();
  }

  /** Joins the caller's unit of work. */
  async cancel(cancelled: Cancelled): Promise<void> {
    const work = { ...cancelled, beforeSeq: this.sequence.next(this.clock.now()) };
    const isAll = await this.cancelSlice(work);
    if (!isAll) this.unitOfWork.afterCommit(() => this.works.push(work));
  }

  private async step(): Promise<void> {
    const [work] = this.works;
    if (!work) return;
    const isOver = (await this.isCalledAgain(work)) || (await this.cancelSlice(work));
    if (isOver) this.works.shift();
  }

  private async cancelSlice({ ownerId, reason, url, beforeSeq }: Work): Promise<boolean> {
    const filter = { ownerId, beforeSeq, url };
    const lanes = await this.repository.cancel(filter, reason, this.clock.now(), SLICE);
    this.unitOfWork.afterCommit(() => this.dispatcher.unblock(lanes));
    return lanes.length < SLICE;
  }

  /** Whether the URL is callable again: deliveries not cancelled so far are then sent after all. */
  private async isCalledAgain({ ownerId, url }: Work): Promise<boolean> {
    const urls = await this.kinds.callableUrls(ownerId);
    return url === undefined ? urls.length > 0 : urls.includes(url);
  }
}
