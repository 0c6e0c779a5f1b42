import type { DataSource } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { newId } from '../../common/ids.js';
import type { Settings } from '../../config/settings.js';
import {
  createSecretKey,
  findSecretKeys,
  keyFile,
  type KeySettings,
  loadSecretKeys,
} from '../../secrets/secret-key.js';
import { sealedKeyIds } from '../sealed-columns.js';
import { InstallationRow } from './installation.entity.js';

const REMEDY =
  'Restore that key; to replace it, set it as SECRET_KEY_PREVIOUS and run "npm run rotate-key". ' +
  'Only if it is lost permanently, "npm run rotate-key -- --lost-key" continues without the secrets it encrypts.';

/** The key is missing, or is not the key of the database. The message is shown to the operator. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused';
}

/** The keys of a database: their ids are stored, so that a start without one of them is refused. */
export class InstallationKeys {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: KeySettings & Partial<Pick<Settings, 'redisUrl'>>,
  ) {}

  /** Accepts the configured keys; generates one while nothing is sealed. Throws KeyRefused and SecretKeyUnusable. */
  async accept(): Promise<void> {
    const row = await this.find();
    const { current, previous } = findSecretKeys(this.settings);
    if (!current) return this.begin(row);
    const needed = idsOf(row);
    if (!needed.every((id) => [...previous, current].some((key) => key.id === id)))
      throw new KeyRefused(`${sealedUnder(needed)}, but ${this.name} is the key ${current.id}. ${REMEDY}`);
    await this.store(row, [...needed, current.id]);
  }

  /** Accepts the current key although others are lost; generates it if missing. Throws SecretKeyUnusable. */
  async acceptLoss(): Promise<void> {
    if (this.settings.secretKey === undefined) createSecretKey(this.settings.dataDir);
    await this.add();
  }

  /** Stores the id of the current key in addition, before anything is sealed. Throws SecretKeyUnusable. */
  async add(): Promise<void> {
    const row = await this.find();
    await this.store(row, [...idsOf(row), this.currentId]);
  }

  /** Forgets all keys except the current one: nothing readable needs them. Throws SecretKeyUnusable. */
  async forgetOthers(): Promise<void> {
    await this.store(await this.find(), [this.currentId]);
  }

  /** Generates the first key. Throws KeyRefused if the database needs an existing one. */
  private async begin(row: InstallationRow | null): Promise<void> {
    const sealed = await sealedKeyIds(this.dataSource);
    if (sealed.size > 0)
      throw new KeyRefused(
        `${sealedUnder(idsOf(row))}, but SECRET_KEY is not set and there is no ${this.file}. ${REMEDY}`,
      );
    if (row && this.settings.redisUrl !== undefined)
      throw new KeyRefused(
        `Processes with REDIS_URL require the same key: SECRET_KEY is not set, there is no ${this.file}, and the database is ` +
          `in use with the key ${idsOf(row).join(' and ')}. Set SECRET_KEY for all of them, or copy this file to each machine.`,
      );
    createSecretKey(this.settings.dataDir);
    await this.store(row, [this.currentId]);
  }

  private find(): Promise<InstallationRow | null> {
    return this.rows.findOne({ where: {}, order: { id: 'ASC' } });
  }

  private async store(row: InstallationRow | null, ids: readonly string[]): Promise<void> {
    const keyIds = [...new Set(ids)].join(' ');
    if (!row) await this.rows.insert({ id: newId(), createAt: Date.now(), keyIds });
    else if (row.keyIds !== keyIds) await this.rows.update({ id: row.id }, { keyIds });
  }

  private get currentId(): string {
    return loadSecretKeys(this.settings).current.id;
  }

  private get file(): string {
    return keyFile(this.settings.dataDir);
  }

  private get name(): string {
    return this.settings.secretKey === undefined ? this.file : 'SECRET_KEY';
  }

  private get rows() {
    return this.dataSource.getRepository(InstallationRow);
  }
}

function idsOf(row: InstallationRow | null): readonly string[] {
  return row?.keyIds.split(' ') ?? [];
}

function sealedUnder(ids: readonly string[]): string {
  return `The database was encrypted with the key${ids.length === 1 ? '' : 's'} ${ids.join(' and ')}`;
}

/** Identifies the database, independent of its address. */
@Injectable()
export class InstallationId {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async get(): Promise<string> {
    const [row] = await this.dataSource
      .getRepository(InstallationRow)
      .find({ order: { id: 'ASC' }, take: 1 });
    if (!row) throw new Error('The database has no installation row.');
    return row.id;
  }
}
