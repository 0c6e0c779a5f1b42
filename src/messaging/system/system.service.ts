import cluster from 'node:cluster';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/common/errors/app-error.js';
import { invalidQueryParam, InvalidUrlParam } from '../../platform/common/errors/common-errors.js';
import { VERSION } from '../../platform/common/version.js';
import { AllSettings } from '../../platform/config/all-settings.js';
import { dialect, Settings } from '../../platform/config/settings.js';
import { DatabaseCheck } from '../../platform/database/database-pool.js';
import type { Actor } from '../permissions/actor.js';
import { UsersSettings } from '../users/users.settings.js';
import {
  type AdminConfig,
  adminConfig,
  anonymousConfig,
  type ClientConfig,
  fullConfig,
} from './client-config.js';
import {
  type Health,
  LicenseDto,
  NO_LICENSE,
  PingDto,
  SettingDto,
  type SettingsInForceDto,
} from './system.dto.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { PermissionsService } from '../permissions/permissions.service.js';

const licenseFormatMissing = () =>
  new AppError(
    400,
    'api.license.client.old_format.app_error',
    'The query parameter format is missing. The only format is old.',
  );

/** Use cases of clients before and right after sign-in. */
@Injectable()
export class SystemService {
  constructor(
    private readonly settings: Settings,
    private readonly users: UsersSettings,
    private readonly all: AllSettings,
    private readonly database: DatabaseCheck,
    private readonly permissions: PermissionsService,
  ) {}

  /** Always healthy without status; with status, checks the database and the data folder. */
  async ping(withStatus: boolean): Promise<PingDto> {
    if (!withStatus) return PingDto.of();
    const [database, files] = await Promise.all([this.databaseHealth(), this.filesHealth()]);
    return PingDto.of({ database, files });
  }

  clientConfig(actor: Actor): ClientConfig {
    return actor.kind === 'anonymous'
      ? anonymousConfig(this.settings, this.users)
      : fullConfig(this.settings, this.users, this.all.forClients());
  }

  /** The client-readable settings by section, as stock administration tools expect them. */
  adminConfig(): AdminConfig {
    return adminConfig(fullConfig(this.settings, this.users, this.all.forClients()));
  }

  settingsInForce(): SettingsInForceDto {
    return {
      process: {
        process_id: process.pid,
        worker: cluster.worker?.id ?? 0,
        started_at: Math.round(performance.timeOrigin),
        version: VERSION,
        node_version: process.versions.node,
        database: dialect,
        is_one_of_several: this.settings.redisUrl !== undefined,
      },
      settings: this.all.inForce().map((setting) => SettingDto.from(setting)),
    };
  }

  /** `format` must be `old` (docs/contract/messaging.md#client-configuration). */
  clientLicense(format: string | undefined): LicenseDto {
    if (format === undefined || format === '') throw licenseFormatMissing();
    if (format !== 'old') throw invalidQueryParam('format', 'the only format is old');
    return NO_LICENSE;
  }

  /** Slash commands are a feature that Hookline does not have: none, after the usual checks. */
  async listCommands(actor: Actor, teamId: string | undefined): Promise<never[]> {
    if (teamId === undefined) throw new InvalidUrlParam('team_id');
    await this.permissions.require(actor, CommonPermission.ViewTeam, { teamId });
    return [];
  }

  private async databaseHealth(): Promise<Health> {
    return (await this.database.failure()) ? 'UNHEALTHY' : 'OK';
  }

  private async filesHealth(): Promise<Health> {
    try {
      await access(this.settings.dataDir, constants.R_OK | constants.W_OK);
      return 'OK';
    } catch {
      return 'UNHEALTHY';
    }
  }
}
