import { ApiProperty } from '@nestjs/swagger';
import type { Team } from '../../teams/team.entity.js';
import type { Channel } from '../channel.entity.js';
import type { ChannelChange } from '../channels.service.js';
import { IdParam, PathParam } from '../../../platform/common/dto/params.js';
import { InvalidUrlParam } from '../../../platform/common/errors/common-errors.js';
import { isChannelName } from '../channel.rules.js';
import { definedOnly } from '../../../platform/common/defined-only.js';
import {
  BodyName,
  BooleanField,
  IdField,
  IntegerField,
  NameField,
  ShownAsRequired,
  StringField,
  StringListField,
  UnsupportedField,
} from '../../../platform/common/dto/fields.js';

/** A channel in API responses (docs/contract/messaging.md#channels). */
export class ChannelDto {
  @ApiProperty({ example: 'k4tdzcm5wtd5jfzn8u5fxpbkjr' }) id: string;
  @ApiProperty({ example: 1_700_000_000_000 }) create_at: number;
  @ApiProperty({ example: 1_700_000_000_000 }) update_at: number;
  @ApiProperty({ description: 'Time of archiving; 0: not archived.', example: 0 }) delete_at: number;
  @ApiProperty({ description: 'Empty for direct and group channels.', example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' })
  team_id: string;
  @ApiProperty({
    description: '`O` open, `P` private, `D` direct, `G` group.',
    enum: ['O', 'P', 'D', 'G'],
    example: 'O',
  })
  type: string;
  @ApiProperty({ example: 'Town Square' }) display_name: string;
  @ApiProperty({ example: 'town-square' }) name: string;
  @ApiProperty({ example: '' }) header: string;
  @ApiProperty({ example: '' }) purpose: string;
  @ApiProperty({ example: 1_700_000_000_000 }) last_post_at: number;
  @ApiProperty({ example: 12 }) total_msg_count: number;
  @ApiProperty({ example: 0 }) extra_update_at: number;
  @ApiProperty({
    description: 'Empty for default channels and for direct channels started by a webhook.',
    example: 'q7kdzcm5wtd5jfzn8u5fxpbkjo',
  })
  creator_id: string;
  @ApiProperty({ type: String, nullable: true, example: null }) scheme_id: string | null;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: null }) props: Record<
    string,
    unknown
  > | null;
  @ApiProperty({ type: Boolean, nullable: true, example: null }) group_constrained: boolean | null;
  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: 'True while other servers share it, otherwise null.',
    example: null,
  })
  shared: boolean | null;
  @ApiProperty({ example: 10 }) total_msg_count_root: number;
  @ApiProperty({ type: String, nullable: true, example: null }) policy_id: string | null;
  @ApiProperty({ example: 1_700_000_000_000 }) last_root_post_at: number;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: null })
  banner_info: Record<string, unknown> | null;
  @ApiProperty({ example: false }) policy_enforced: boolean;
  @ApiProperty({ example: false }) policy_is_active: boolean;
  @ApiProperty({ example: '' }) default_category_name: string;
  @ApiProperty({ example: false }) autotranslation: boolean;

  static from(channel: Channel): ChannelDto {
    return {
      id: channel.id,
      create_at: channel.createAt,
      update_at: channel.updateAt,
      delete_at: channel.deleteAt,
      team_id: channel.teamId,
      type: channel.type,
      display_name: channel.displayName,
      name: channel.name,
      header: channel.header,
      purpose: channel.purpose,
      last_post_at: channel.lastPostAt,
      total_msg_count: channel.totalMsgCount,
      extra_update_at: 0,
      creator_id: channel.creatorId,
      scheme_id: null,
      props: null,
      group_constrained: null,
      shared: channel.shared || null,
      total_msg_count_root: channel.totalMsgCountRoot,
      policy_id: null,
      last_root_post_at: channel.lastRootPostAt,
      banner_info: null,
      policy_enforced: false,
      policy_is_active: false,
      default_category_name: '',
      autotranslation: false,
    };
  }
}

export class ChannelStatsDto {
  @ApiProperty({ example: 'k4tdzcm5wtd5jfzn8u5fxpbkjr' }) channel_id: string;
  @ApiProperty({ example: 12 }) member_count: number;
  @ApiProperty({ example: 0 }) guest_count: number;
  @ApiProperty({ example: 1 }) pinnedpost_count: number;
  @ApiProperty({ description: '-1 with `exclude_files_count`.', example: 0 }) files_count: number;
}

/** The name of a channel in the path. */
export const ChannelNameParam = (): ParameterDecorator =>
  PathParam(
    'channel_name',
    {
      description: 'The name of the channel.',
      example: 'town-square',
      schema: { type: 'string', minLength: 1, maxLength: 64 },
    },
    (value) => {
      const name = value.trim().toLowerCase();
      if (isChannelName(name)) return name;
      throw new InvalidUrlParam('channel_name', 'it is not a valid channel name');
    },
  );

/** The id of a channel in the path. */
export const ChannelIdParam = (): ParameterDecorator => IdParam('channel_id', 'The channel.');

/** The user-editable fields of a channel. */
@BodyName('channel')
class ChannelFieldsDto {
  @StringField({
    description: 'Name in URLs: 1 to 64 of a-z, 0-9, hyphen and underscore.',
    example: 'releases',
    maxLength: 64,
  })
  name?: string;
  @NameField({ description: 'Display name.', example: 'Releases', maxLength: 64 }) display_name?: string;
  @StringField({ description: 'Text above the messages.', example: '', maxLength: 1024 }) header?: string;
  @StringField({ description: 'The purpose of the channel.', example: '', maxLength: 250 }) purpose?: string;
  @UnsupportedField('there are no groups') group_constrained?: unknown;
  @UnsupportedField('permissions come from roles') scheme_id?: unknown;
  @UnsupportedField('channels have no banner') banner_info?: unknown;
  @UnsupportedField('sidebar categories are fixed') default_category_name?: unknown;
}

export class CreateChannelDto extends ChannelFieldsDto {
  @ShownAsRequired() override name: string = '';
  @ShownAsRequired() override display_name: string = '';
  override header = '';
  override purpose = '';
  @ShownAsRequired() @IdField({ description: 'The team of the channel.' }) team_id = '';
  @ShownAsRequired()
  @StringField({ description: '`O` open or `P` private.', example: 'O', enum: ['O', 'P'] })
  type = '';
  @StringField({ description: 'Not accepted: the server assigns the id.', example: '' }) id = '';
}

/** The body of `PUT`; omitted fields stay unchanged. */
export class UpdateChannelDto extends ChannelFieldsDto {
  @ShownAsRequired()
  @IdField({
    description: 'The id of the channel, the same as in the path.',
    example: 'k4tdzcm5wtd5jfzn8u5fxpbkjr',
  })
  id = '';
  @StringField({ description: 'Only the current type.', example: 'O', enum: ['O', 'P', 'D', 'G'] })
  type = '';
}

/** The body of `PUT …/patch`; omitted fields stay unchanged. */
export class PatchChannelDto extends ChannelFieldsDto {}

@BodyName('privacy')
export class ChannelPrivacyDto {
  @ShownAsRequired()
  @StringField({ description: '`O` makes the channel public, `P` private.', example: 'P', enum: ['O', 'P'] })
  privacy = '';
}

/** Maps a patch to the field names of the record. */
export function channelPatchOf({ name, display_name, header, purpose }: ChannelFieldsDto): ChannelChange {
  return definedOnly({ name, displayName: display_name, header, purpose });
}

/** Maps a full update to the record's fields; an empty name keeps the current one. */
export function channelUpdateOf({ name, display_name, header, purpose }: ChannelFieldsDto): ChannelChange {
  return definedOnly({ name: name || undefined, displayName: display_name || undefined, header, purpose });
}

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
  @StringListField({ description: 'Only channels of these teams, at most 1,000.', example: [] })
  team_ids: string[] = [];
  @BooleanField({ description: 'Without `town-square`.', example: false }) exclude_default_channels = false;
  @BooleanField({ description: 'Only open channels, unless `private` is set too.', example: false })
  public = false;
  @BooleanField({ description: 'Only private channels, unless `public` is set too.', example: false })
  private = false;
  @BooleanField({ description: 'Include archived channels.', example: false }) include_deleted = false;
  @BooleanField({ description: 'Only archived channels.', example: false }) deleted = false;
  @IntegerField({
    description: 'With `per_page`: the page; the response then contains the total.',
    example: 0,
  })
  page?: number;
  @IntegerField({ description: 'Channels per page, at most 200.', example: 60 }) per_page?: number;
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
