import { setTimeout as sleep } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { stackOf } from '../common/errors/stack-of.js';
import { Settings } from '../config/settings.js';
import { SecretBox, UNBOUND_PREFIX } from '../secrets/secret-box.js';
import { UnboundSecrets } from '../secrets/unbound-secrets.js';
import { isDatabaseUnavailable } from './database-errors.js';
import { findSealed, resealAll } from './sealed-columns.js';

/** More unreadable secrets than these are only counted. */
const MAX_NAMED = 20;

/**
 * Seals what earlier servers have sealed for its place, before anything opens a secret: a migration has no key. If it is
 * interrupted, the next start goes on. Once all are sealed so, others are refused, and a start does not wait for them to be
 * found and named.
 */
@Injectable()
export class SecretsUpgrade implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  /** So many rows are looked at together, and then other work goes first. */
  readonly limits = { slice: 500, pauseMs: 20 };
  private readonly logger = new Logger(SecretsUpgrade.name);
  private readonly unbound: UnboundSecrets;
  private look: Promise<void> = Promise.resolve();
  private mayHaveRefused = false;
  private isStopped = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly box: SecretBox,
    settings: Settings,
  ) {
    this.unbound = new UnboundSecrets(settings.dataDir);
  }

  async onModuleInit(): Promise<void> {
    this.box.load(); // whatever happens to the file of the key later
    this.mayHaveRefused = !this.unbound.areAccepted;
    if (this.mayHaveRefused) return;
    let named = 0;
    const { count, unreadable } = await resealAll(this.dataSource, {
      box: this.box,
      unbound: this.unbound,
      prefix: UNBOUND_PREFIX,
      onUnreadable: (sentence) => {
        if (named++ < MAX_NAMED) this.logger.error(sentence);
      },
    });
    if (count > 0) this.logger.log(`${count} stored secrets were sealed anew, for their rows.`);
    if (unreadable > 0) this.logger.error(`${unusable(unreadable)} Repair or delete them.`);
    else this.refuseUnbound();
  }

  onApplicationBootstrap(): void {
    if (this.mayHaveRefused) this.look = this.nameRefused();
  }

  /** Waits until the slice in progress is over. */
  onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    return this.look;
  }

  private async nameRefused(): Promise<void> {
    let count = 0;
    const pause = async (): Promise<boolean> => {
      await sleep(this.limits.pauseMs);
      return !this.isStopped;
    };
    try {
      for await (const place of findSealed(this.dataSource, UNBOUND_PREFIX, this.limits.slice, pause))
        if (count++ < MAX_NAMED)
          this.logger.error(`${place}: A stored secret has the form of an earlier version.`);
    } catch (error) {
      if (!isDatabaseUnavailable(error) && !this.isStopped)
        this.logger.error('Refused secrets cannot be looked for.', stackOf(error));
    }
    if (count > 0)
      this.logger.error(
        `${unusable(count)} If the database was restored from before an upgrade, delete ${this.unbound.path} and start again.`,
      );
  }

  private refuseUnbound(): void {
    try {
      this.unbound.refuse();
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      this.logger.warn(
        `${this.unbound.path} cannot be written (${code}), so the next start will seal such secrets anew once more.`,
      );
    }
  }
}

const unusable = (count: number): string =>
  `${count} stored secrets in the form of earlier versions cannot be used.`;
