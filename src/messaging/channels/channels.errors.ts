import { AppError } from '../../platform/common/errors/app-error.js';
import { ValidationFailed } from '../../platform/common/errors/common-errors.js';

export const channelNotFound = () =>
  new AppError(404, 'app.channel.get.existing.app_error', 'No such channel.');

/** Also used for private channels that the caller is not in, so that names cannot be probed. */
export const channelNameNotFound = () =>
  new AppError(404, 'app.channel.get_by_name.missing.app_error', 'No channel with that name.');

export const noChannelsFound = () =>
  new AppError(404, 'app.channel.get_channels.not_found.app_error', 'The user is in no channel.');

export const channelMemberNotFound = () =>
  new AppError(404, 'app.channel.get_member.missing.app_error', 'The user is not a member of the channel.');

export class ChannelNameTaken extends ValidationFailed {
  constructor() {
    super(
      'store.sql_channel.save_channel.exists.app_error',
      'name',
      'the team already has a channel with that name; it may be archived.',
    );
  }
}

export class TooManyChannels extends ValidationFailed {
  constructor(maxChannels: number) {
    super(
      'api.channel.create_channel.max_channel_limit.app_error',
      'team_id',
      `the team already has ${maxChannels} channels.`,
    );
  }
}

export const tooManyOwnChannels = (maxChannels: number) =>
  new ValidationFailed(
    'api.channel.create_channel.max_own_channels.app_error',
    'team_id',
    `you have already created ${maxChannels} channels in the team; archive an unused one.`,
  );

export const tooManyChannelsOfUser = (maxChannels: number) =>
  new ValidationFailed(
    'api.channel.add_user.max_channels.app_error',
    'user_id',
    `the user is already in ${maxChannels} channels; leave an unused one, or raise CHANNELS_PER_USER.`,
  );

/** Additions by other users count toward a lower limit. */
export const addedToTooManyChannels = (maxChannels: number) =>
  new ValidationFailed(
    'api.channel.add_user.max_by_others.app_error',
    'user_id',
    `the user is already in ${maxChannels} channels; only the user or a system administrator can add more.`,
  );

const BEGUN_BY_OTHERS = {
  all: 'direct and group channels that others have started',
  group: 'group channels that others have started',
  webhook: 'direct channels that webhooks have started',
} as const;

/** Channels that other users start count toward a lower limit. */
export const tooManyBegunByOthers = (kind: keyof typeof BEGUN_BY_OTHERS, max: number) =>
  new ValidationFailed(
    'api.channel.create_direct_channel.max_by_others.app_error',
    'user_ids',
    `one of the users is already in ${max} ${BEGUN_BY_OTHERS[kind]}; use an existing channel, or let that user start this one.`,
  );

export const tooManyGroups = (maxGroups: number) =>
  new ValidationFailed(
    'api.channel.create_group.max_groups.app_error',
    'user_ids',
    `you have already created ${maxGroups} group channels.`,
  );

/** A user of the direct channel does not exist. */
export const unknownDirectUser = () =>
  new ValidationFailed(
    'api.channel.create_direct_channel.invalid_user.app_error',
    'user_ids',
    'the user does not exist.',
  );

export const groupSizeRefused = (min: number, max: number) =>
  new ValidationFailed(
    'api.channel.create_group.bad_size.app_error',
    'user_ids',
    `a group must have ${min} to ${max} users, including yourself.`,
  );

export const unknownGroupUser = () =>
  new ValidationFailed(
    'api.channel.create_group.bad_user.app_error',
    'user_ids',
    'one of the users does not exist.',
  );

/** An archived channel cannot be changed. */
export const archivedChannelRefused = () =>
  new ValidationFailed(
    'api.channel.update_channel.deleted.app_error',
    'channel_id',
    'the channel is archived.',
  );

/** Only members may change a direct or group channel. */
export const directChannelForbidden = () =>
  new AppError(
    403,
    'api.channel.patch_update_channel.forbidden.app_error',
    'Only members can change this channel.',
  );

/** As the contract requires: channels can be archived, but not deleted permanently. */
export const permanentChannelDeletionDisabled = () =>
  new AppError(
    401,
    'api.user.delete_channel.not_enabled.app_error',
    'Channels cannot be deleted permanently on this server; without permanent=true the channel is archived.',
  );

export const leftTeam = () =>
  new ValidationFailed(
    'api.channel.add_user.to.channel.failed.deleted.app_error',
    'user_id',
    'the user has left the team of the channel.',
  );

/** As the contract requires: a deactivated account cannot join a channel. */
export const deactivatedUserRefused = () =>
  new AppError(
    403,
    'app.channel.add_member.deleted_user.app_error',
    'The account is deactivated and cannot join channels.',
  );

/** 400 errors that depend on the type or state of a channel, with the contract's id and the invalid field. */
export const refusals = {
  idGiven: () =>
    new ValidationFailed(
      'store.sql_channel.save_channel.existing.app_error',
      'id',
      'the server assigns the id of a new channel.',
    ),
  directThroughCreate: () =>
    new ValidationFailed(
      'api.channel.create_channel.direct_channel.app_error',
      'type',
      'direct and group channels are created by separate calls.',
    ),
  typeChange: () =>
    new ValidationFailed(
      'api.channel.update_channel.typechange.app_error',
      'type',
      'it cannot change here; use the privacy call.',
    ),
  defaultRename: () =>
    new ValidationFailed(
      'api.channel.update_channel.tried.app_error',
      'name',
      'the default channel cannot be renamed.',
    ),
  nothingToChange: () =>
    new ValidationFailed(
      'api.channel.patch_update_channel.no_changes.app_error',
      'channel',
      'it has no field that can change.',
    ),
  directFields: () =>
    new ValidationFailed(
      'api.channel.update_channel.update_direct_or_group_messages_not_allowed.app_error',
      'channel',
      'only the header of a direct or group channel can change.',
    ),
  defaultPrivacy: () =>
    new ValidationFailed(
      'api.channel.update_channel_privacy.default_channel_error',
      'privacy',
      'the default channel must stay open.',
    ),
  archiveDirect: () =>
    new ValidationFailed(
      'api.channel.delete_channel.type.invalid',
      'channel_id',
      'direct and group channels cannot be archived.',
    ),
  archiveDefault: () =>
    new ValidationFailed(
      'api.channel.delete_channel.cannot.app_error',
      'channel_id',
      'the default channel cannot be archived.',
    ),
  archivedAlready: () =>
    new ValidationFailed(
      'api.channel.delete_channel.deleted.app_error',
      'channel_id',
      'the channel is already archived.',
    ),
  notArchived: () =>
    new ValidationFailed(
      'api.channel.restore_channel.restored.app_error',
      'channel_id',
      'the channel is not archived.',
    ),
  addToDirect: () =>
    new ValidationFailed(
      'api.channel.add_user_to_channel.type.app_error',
      'channel_id',
      'users cannot be added to a direct or group channel.',
    ),
  removeFromDirect: () =>
    new ValidationFailed(
      'api.channel.remove_channel_member.type.app_error',
      'channel_id',
      'users cannot leave a direct or group channel.',
    ),
  leaveDefault: () =>
    new ValidationFailed(
      'api.channel.remove.default.app_error',
      'channel_id',
      'members of a team cannot leave its default channel.',
    ),
} as const;
