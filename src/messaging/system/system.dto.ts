import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Response } from 'express';
import { ORIGINS, type SettingInForce } from '../../platform/config/settings.js';

/** Hookline is free software, so clients that ask for a license are told it is unlicensed. */
export class LicenseDto {
  @ApiProperty({ example: 'false' }) IsLicensed: string;
}

export const NO_LICENSE: LicenseDto = { IsLicensed: 'false' };

export type Health = 'OK' | 'UNHEALTHY';

/** The response to a ping. */
export class PingDto {
  @ApiProperty({ enum: ['OK', 'UNHEALTHY'], example: 'OK' }) status: Health;
  @ApiProperty({ example: '' }) AndroidLatestVersion: string;
  @ApiProperty({ example: '' }) AndroidMinVersion: string;
  @ApiProperty({ example: '' }) IosLatestVersion: string;
  @ApiProperty({ example: '' }) IosMinVersion: string;
  @ApiProperty({ example: 'database' }) ActiveSearchBackend: string;
  @ApiPropertyOptional({
    enum: ['OK', 'UNHEALTHY'],
    example: 'OK',
    description: 'Only with `get_server_status=true`.',
  })
  database_status?: Health;
  @ApiPropertyOptional({
    enum: ['OK', 'UNHEALTHY'],
    example: 'OK',
    description: 'Only with `get_server_status=true`.',
  })
  filestore_status?: Health;

  static of(parts?: { readonly database: Health; readonly files: Health }): PingDto {
    return {
      status: parts && (parts.database !== 'OK' || parts.files !== 'OK') ? 'UNHEALTHY' : 'OK',
      AndroidLatestVersion: '',
      AndroidMinVersion: '',
      IosLatestVersion: '',
      IosMinVersion: '',
      ActiveSearchBackend: 'database',
      database_status: parts?.database,
      filestore_status: parts?.files,
    };
  }
}

type PlacedSetting = SettingInForce & { readonly section: string; readonly meaning: string };

/** A setting with its effective value. */
export class SettingDto {
  @ApiProperty({ example: 'PEER_PING_INTERVAL' }) name: string;
  @ApiProperty({ example: 'Secure connections' }) section: string;
  @ApiProperty({ description: 'Its purpose, as Markdown.', example: 'How often each peer is pinged' })
  meaning: string;
  @ApiProperty({ description: 'Its values, as Markdown.', example: 'duration' }) values: string;
  @ApiProperty({ description: 'The effective value; empty if it is hidden.', example: '30s' }) value: string;
  @ApiProperty({ description: 'The value without it in the environment.', example: '60s' })
  default_value: string;
  @ApiProperty({
    enum: ORIGINS,
    description: 'Where the value comes from; `file`: from `.env` in the working directory.',
    example: 'environment',
  })
  origin: SettingInForce['origin'];
  @ApiProperty({ description: 'It is set, and its value is a secret or contains one.', example: false })
  is_hidden: boolean;

  static from(setting: PlacedSetting): SettingDto {
    const { name, section, meaning, values, value, fallback, origin, isHidden } = setting;
    return { name, section, meaning, values, value, default_value: fallback, origin, is_hidden: isHidden };
  }
}

/** The process that responded; other processes may have been started with different settings. */
class ServerProcessDto {
  @ApiProperty({ example: 4711 }) process_id: number;
  @ApiProperty({ description: 'Its number among the `WORKERS`; 0 without workers.', example: 0 })
  worker: number;
  @ApiProperty({ example: 1764633600000 }) started_at: number;
  @ApiProperty({ example: '0.1.0' }) version: string;
  @ApiProperty({ example: '24.4.0' }) node_version: string;
  @ApiProperty({ enum: ['sqlite', 'mysql'], example: 'sqlite' }) database: 'sqlite' | 'mysql';
  @ApiProperty({ description: 'Whether other processes can use the same database.', example: false })
  is_one_of_several: boolean;
}

/** The settings of one process. */
export class SettingsInForceDto {
  @ApiProperty({ type: ServerProcessDto, description: 'The process that responded.' })
  process: ServerProcessDto;
  @ApiProperty({ type: [SettingDto] }) settings: SettingDto[];
}

/** Sets the headers of a ping with status, and the status code 500 if a part is unhealthy. */
export function applyPingStatus(response: Response, ping: PingDto, hasRestSemantics: boolean): PingDto {
  const { status, database_status: database, filestore_status: files } = ping;
  if (database !== undefined && files !== undefined) {
    response.setHeader('status', status);
    response.setHeader('database_status', database);
    response.setHeader('filestore_status', files);
  }
  if (status !== 'OK' && !hasRestSemantics) response.status(500);
  return ping;
}
