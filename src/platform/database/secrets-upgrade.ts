import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Settings } from '../config/settings.js';
import { SecretBox, UNBOUND_PREFIX } from '../secrets/secret-box.js';
import { UnboundSecrets } from '../secrets/unbound-secrets.js';
import { resealAll } from './sealed-columns.js';

/** More unreadable secrets than these are only counted. */
const MAX_NAMED = 20;

/**
 * Seals what earlier servers have sealed for its place, before anything opens a secret: a migration has no key. If it is
 * interrupted, the next start goes on.
 */
@Injectable()
export class SecretsUpgrade implements OnModuleInit {
  private readonly logger = new Logger(SecretsUpgrade.name);
  private readonly unbound: UnboundSecrets;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly box: SecretBox,
    settings: Settings,
  ) {
    this.unbound = new UnboundSecrets(settings.dataDir);
  }

  async onModuleInit(): Promise<void> {
    this.box.load(); // whatever happens to the file of the key later
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
    if (unreadable > 0) this.logger.error(this.explain(unreadable));
    else this.refuseUnbound();
  }

  private explain(unreadable: number): string {
    const sentence = `${unreadable} stored secrets in the form of earlier versions cannot be used.`;
    return this.unbound.areAccepted
      ? `${sentence} Repair or delete them.`
      : `${sentence} If the database was restored from before an upgrade, delete ${this.unbound.path} and start again.`;
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
