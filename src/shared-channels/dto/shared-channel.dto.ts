import { ApiProperty } from '@nestjs/swagger';
import type { SharedChannel } from '../shared-channel.entity.js';

/** A shared channel as the contract shows it. */
export class SharedChannelDto {
  @ApiProperty({ example: 'gqsr16q5bj8ikq9dsu7mzp3acy' }) id: string;
  @ApiProperty({ example: 'm4agnt8dxtywdgcmo9nwx5kk8w' }) team_id: string;
  @ApiProperty({ description: 'Whether it comes from this server.', example: true }) home: boolean;
  @ApiProperty({ example: false }) readonly: boolean;
  @ApiProperty({ example: 'releases' }) name: string;
  @ApiProperty({ example: 'Releases' }) display_name: string;
  @ApiProperty({ example: '' }) purpose: string;
  @ApiProperty({ example: '' }) header: string;
  @ApiProperty({ example: 'o1sd3xnpxjbwbyyhf9amnzpzyh' }) creator_id: string;
  @ApiProperty({ example: 1764633600000 }) create_at: number;
  @ApiProperty({ example: 1764633600000 }) update_at: number;
  @ApiProperty({ description: 'The connection it came over; empty at home.', example: '' }) remote_id: string;
  @ApiProperty({ enum: ['O', 'P'], example: 'O' }) type: string;

  static from(channel: SharedChannel): SharedChannelDto {
    return {
      id: channel.channelId,
      team_id: channel.teamId,
      home: channel.home,
      readonly: channel.readonly,
      name: channel.name,
      display_name: channel.displayName,
      purpose: channel.purpose,
      header: channel.header,
      creator_id: channel.creatorId,
      create_at: channel.createAt,
      update_at: channel.updateAt,
      remote_id: channel.remoteId,
      type: channel.type,
    };
  }
}
