import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ServerBot } from '../messaging/posts/server-bot.js';
import { UsersService } from '../messaging/users/users.service.js';
import { Clock } from '../platform/common/clock.js';
import { stackOf } from '../platform/common/errors/stack-of.js';
import { isDatabaseUnavailable } from '../platform/database/database-errors.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { Failure } from './failure.entity.js';
import { FailureMessagesSettings } from './failure-messages.settings.js';
import { type FailureKey, FailuresRepository } from './failures.repository.js';

export interface NewFailure extends FailureKey {
  readonly userId: string;
  readonly stage: number;
  readonly text: string;
}

const TOPIC = 'failures';

/**
 * Notifies users of failures by direct message: once per stage, and once on recovery. Changes run in sequence; other
 * processes check the row, which is written with the message, before they send anything.
 */
@Injectable()
export class FailuresService implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('FailureMessages');
  private readonly open = new Map<string, Failure>();
  private last: Promise<void> = Promise.resolve();
  private onReported: (key: FailureKey) => Promise<void> = () => Promise.resolve();

  constructor(
    private readonly repository: FailuresRepository,
    private readonly bot: ServerBot,
    private readonly users: UsersService,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: FailureMessagesSettings,
    private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    this.unitOfWork.changes.on(TOPIC, ({ subjectId, endpoint }) =>
      this.queue(() => this.hear(String(subjectId), endpoint)),
    );
    this.unitOfWork.changes.onLost(() => this.queue(() => this.reload()));
    await this.reload();
  }

  async onApplicationShutdown(): Promise<void> {
    // Finished work may have queued more.
    for (let last: Promise<void> | undefined; last !== this.last; await last) last = this.last;
  }

  /** Calls `handler` when any process has reported a failure, which may already have been resolved. */
  watch(handler: (key: FailureKey) => Promise<void>): void {
    this.onReported = handler;
  }

  find(key: FailureKey): Failure | undefined {
    return this.open.get(nameOf(key));
  }

  /** Reports a failure, unless this stage or a later one was already reported. */
  begin(failure: NewFailure): void {
    if (!this.settings.failureMessages || this.isKnown(failure)) return;
    this.queue(async () => {
      const { text, userId: wanted, ...key } = failure;
      await this.refresh(key);
      if (this.isKnown(failure)) return;
      const userId = await this.personOf(wanted);
      const row = { ...key, userId, toldAt: this.clock.now() };
      let isNew = false;
      await this.unitOfWork.run(async () => {
        isNew = await this.repository.advance(row);
        if (!isNew) return;
        this.notifyOtherProcesses(row);
        if (userId !== '') await this.bot.write(userId, text);
      });
      if (isNew) this.open.set(nameOf(row), row);
      else await this.refresh(key); // another process was first, and may be at a later stage
      await this.onReported(key);
    });
  }

  /** Tells the user who was notified of the failure that it is resolved. */
  heal(key: FailureKey, text: string): void {
    if (!this.find(key)) return;
    this.queue(async () => {
      await this.refresh(key);
      const failure = this.find(key);
      if (!failure) return;
      const isReachable = this.settings.failureMessages && (await this.personOf(failure.userId)) !== '';
      await this.unitOfWork.run(async () => {
        if (!(await this.repository.delete(key))) return;
        this.notifyOtherProcesses(key);
        if (isReachable) await this.bot.write(failure.userId, text);
      });
      this.open.delete(nameOf(key));
    });
  }

  /** Drops the failures of a deleted subject, including ones being reported here or by another process. */
  forget(subjectId: string): void {
    this.queue(async () => {
      const keys = [...this.open.values()].filter((failure) => failure.subjectId === subjectId);
      if (keys.length === 0 && !this.unitOfWork.changes.isShared) return;
      await this.unitOfWork.run(async () => {
        await this.repository.deleteOf(subjectId);
        this.unitOfWork.notifyOtherProcesses(TOPIC, { subjectId });
      });
      for (const key of keys) this.open.delete(nameOf(key));
    });
  }

  private async reload(): Promise<void> {
    const failures = await this.repository.listAll();
    this.open.clear();
    for (const failure of failures) this.open.set(nameOf(failure), failure);
  }

  private notifyOtherProcesses({ subjectId, endpoint }: FailureKey): void {
    this.unitOfWork.notifyOtherProcesses(TOPIC, { subjectId, endpoint });
  }

  /** Handles another process's change of one failure, or of all failures of a subject. */
  private async hear(subjectId: string, endpoint: unknown): Promise<void> {
    const keys = typeof endpoint === 'string' ? [{ subjectId, endpoint }] : [...this.open.values()];
    for (const key of keys.filter((one) => one.subjectId === subjectId)) {
      await this.refresh(key);
      if (this.find(key)) await this.onReported(key);
    }
  }

  private async refresh(key: FailureKey): Promise<void> {
    if (!this.unitOfWork.changes.isShared) return;
    const row = await this.repository.find(key);
    if (row) this.open.set(nameOf(key), row);
    else this.open.delete(nameOf(key));
  }

  private isKnown({ stage, ...key }: NewFailure): boolean {
    return (this.find(key)?.stage ?? 0) >= stage;
  }

  /** The user to notify for an account: a bot's owner, or the user itself. Empty if no one would read it. */
  private async personOf(userId: string): Promise<string> {
    const user = await this.users.find(userId);
    const person = user?.isBot ? await this.users.find(user.botOwnerId) : user;
    return person?.deleteAt === 0 && person.remoteId === '' && !person.isBot ? person.id : '';
  }

  private queue(work: () => Promise<void>): void {
    this.last = this.last.then(async () => {
      try {
        await work();
      } catch (error) {
        if (!isDatabaseUnavailable(error))
          this.logger.error('A failure message cannot be sent.', stackOf(error));
      }
    });
  }
}

const nameOf = ({ subjectId, endpoint }: FailureKey): string => `${subjectId} ${endpoint}`;
