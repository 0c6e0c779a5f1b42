import { ApiProperty } from '@nestjs/swagger';
import {
  BodyName,
  BooleanField,
  IntegerField,
  StringField,
  StringListField,
  UnsupportedField,
} from '../../../platform/common/dto/fields.js';
import type { Team } from '../../teams/team.entity.js';
import type { Channel } from '../channel.entity.js';
import { ChannelDto } from '../dto/channel.dto.js';

@BodyName('channel_search')
export class SearchChannelsDto {
  @StringField({
    description: 'Part of a name, display name or purpose; empty finds all.',
    example: 'release',
    maxLength: 256,
  })
  term = '';
}

@BodyName('channel_search')
export class SearchAllChannelsDto extends SearchChannelsDto {
  @StringListField({ description: 'Only channels of these teams, 1,000 at most.', example: [] })
  team_ids: string[] = [];
  @BooleanField({ description: 'Without `town-square`.', example: false }) exclude_default_channels = false;
  @BooleanField({ description: 'Only open channels, unless `private` is set too.', example: false })
  public = false;
  @BooleanField({ description: 'Only private channels, unless `public` is set too.', example: false })
  private = false;
  @BooleanField({ description: 'Archived channels too.', example: false }) include_deleted = false;
  @BooleanField({ description: 'Only archived channels.', example: false }) deleted = false;
  @IntegerField({ description: 'With `per_page`: the page, and the answer holds the total.', example: 0 })
  page?: number;
  @IntegerField({ description: 'Channels per page, 200 at most.', example: 60 }) per_page?: number;
  @UnsupportedField('there are no groups') group_constrained?: unknown;
  @UnsupportedField('shared channels are always found') exclude_remote?: unknown;
  @UnsupportedField('there are no retention policies') policy_id?: unknown;
}

/** A channel with the names of its team. */
export class ChannelWithTeamDto extends ChannelDto {
  @ApiProperty({ example: 'Core team' }) team_display_name: string;
  @ApiProperty({ example: 'core' }) team_name: string;
  @ApiProperty({ example: 1_700_000_000_000 }) team_update_at: number;

  static of(channel: Channel, team: Team): ChannelWithTeamDto {
    return {
      ...ChannelDto.from(channel),
      team_display_name: team.displayName,
      team_name: team.name,
      team_update_at: team.updateAt,
    };
  }
}

/** A page of channels with the total count. */
export class ChannelsWithCountDto {
  @ApiProperty({ type: [ChannelWithTeamDto] }) channels: ChannelWithTeamDto[];
  @ApiProperty({ example: 1 }) total_count: number;
}
