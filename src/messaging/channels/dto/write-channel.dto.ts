import { definedOnly } from '../../../platform/common/defined-only.js';
import {
  BodyName,
  IdField,
  ShownAsRequired,
  NameField,
  StringField,
  UnsupportedField,
} from '../../../platform/common/dto/fields.js';
import type { ChannelChange } from '../channel-records.js';

/** The fields of a channel that people choose. */
@BodyName('channel')
export class ChannelFieldsDto {
  @StringField({
    description: 'Name in addresses: 1 to 64 of a-z, 0-9, hyphen and underscore.',
    example: 'releases',
    maxLength: 64,
  })
  name?: string;
  @NameField({ description: 'Name for people.', example: 'Releases', maxLength: 64 }) display_name?: string;
  @StringField({ description: 'Text above the messages.', example: '', maxLength: 1024 }) header?: string;
  @StringField({ description: 'What the channel is for.', example: '', maxLength: 250 }) purpose?: string;
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
  @StringField({ description: 'Not accepted: the server gives the id.', example: '' }) id = '';
}

/** What `PUT` takes; what is absent stays. */
export class UpdateChannelDto extends ChannelFieldsDto {
  @ShownAsRequired()
  @IdField({
    description: 'The id of the channel, the same as in the path.',
    example: 'k4tdzcm5wtd5jfzn8u5fxpbkjr',
  })
  id = '';
  @StringField({ description: 'Only the present type.', example: 'O', enum: ['O', 'P', 'D', 'G'] })
  type = '';
}

/** What `PUT …/patch` takes; what is absent stays. */
export class PatchChannelDto extends ChannelFieldsDto {}

@BodyName('privacy')
export class ChannelPrivacyDto {
  @ShownAsRequired()
  @StringField({
    description: '`O` opens the channel, `P` makes it private.',
    example: 'P',
    enum: ['O', 'P'],
  })
  privacy = '';
}

/** The fields of a patch, as the record calls them. */
export function channelPatchOf({ name, display_name, header, purpose }: ChannelFieldsDto): ChannelChange {
  return definedOnly({ name, displayName: display_name, header, purpose });
}

/** The fields of a whole update: an empty name stands for the present one. */
export function channelUpdateOf({ name, display_name, header, purpose }: ChannelFieldsDto): ChannelChange {
  return definedOnly({
    name: name || undefined,
    displayName: display_name || undefined,
    header,
    purpose,
  });
}
