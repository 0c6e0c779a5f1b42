import { ApiProperty } from '@nestjs/swagger';
import { ORIGINS, type SettingInForce } from '../../../platform/config/setting-in-force.js';

/** A setting with its section, as docs/settings.md has it. */
export type PlacedSetting = SettingInForce & { readonly section: string; readonly meaning: string };

/** A setting as it is in force. */
export class SettingDto {
  @ApiProperty({ example: 'PEER_PING_INTERVAL' }) name: string;
  @ApiProperty({ example: 'Secure connections' }) section: string;
  @ApiProperty({ description: 'What it is for, as Markdown.', example: 'How often each peer is pinged' })
  meaning: string;
  @ApiProperty({ description: 'What it can be, as Markdown.', example: 'duration' }) values: string;
  @ApiProperty({ description: 'What is in force; empty if it is hidden.', example: '30s' }) value: string;
  @ApiProperty({ description: 'Without it in the environment.', example: '60s' }) default_value: string;
  @ApiProperty({
    enum: ORIGINS,
    description: 'Where the value comes from; `file`: from `.env` in the working directory.',
    example: 'environment',
  })
  origin: SettingInForce['origin'];
  @ApiProperty({ description: 'It is set, and its value is or has a secret.', example: false })
  is_hidden: boolean;

  static from(setting: PlacedSetting): SettingDto {
    const { name, section, meaning, values, value, fallback, origin, isHidden } = setting;
    return { name, section, meaning, values, value, default_value: fallback, origin, is_hidden: isHidden };
  }
}

/** The process that has answered: of several, another may have been started with other settings. */
export class ServerProcessDto {
  @ApiProperty({ example: 4711 }) process_id: number;
  @ApiProperty({ description: 'Its number among the `WORKERS`; 0: there are none.', example: 0 })
  worker: number;
  @ApiProperty({ example: 1764633600000 }) started_at: number;
  @ApiProperty({ example: '0.1.0' }) version: string;
  @ApiProperty({ example: '24.4.0' }) node_version: string;
  @ApiProperty({ enum: ['sqlite', 'mysql'], example: 'sqlite' }) database: 'sqlite' | 'mysql';
  @ApiProperty({ description: 'Whether other processes may serve the same database.', example: false })
  is_one_of_several: boolean;
}

/** The settings of one process. */
export class SettingsInForceDto {
  @ApiProperty({ type: ServerProcessDto, description: 'The process that has answered.' })
  process: ServerProcessDto;
  @ApiProperty({ type: [SettingDto] }) settings: SettingDto[];
}
