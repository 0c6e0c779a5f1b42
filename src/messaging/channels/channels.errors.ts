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

/** As the contract requires: a deactivated account cannot join a channel. */
export const deactivatedUserRefused = () =>
  new AppError(
    403,
    'app.channel.add_member.deleted_user.app_error',
    'The account is deactivated and cannot join channels.',
  );

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
      idOf('create_channel.max_channel_limit'),
      'team_id',
      `the team already has ${maxChannels} channels.`,
    );
  }
}

export const tooManyOwnChannels = (max: number) =>
  new ValidationFailed(
    idOf('create_channel.max_own_channels'),
    'team_id',
    `you have already created ${max} channels in the team; archive an unused one.`,
  );

export const tooManyChannelsOfUser = (max: number) =>
  new ValidationFailed(
    idOf('add_user.max_channels'),
    'user_id',
    `the user is already in ${max} channels; leave an unused one, or raise CHANNELS_PER_USER.`,
  );

/** Additions by other users count toward a lower limit. */
export const addedToTooManyChannels = (max: number) =>
  new ValidationFailed(
    idOf('add_user.max_by_others'),
    'user_id',
    `the user is already in ${max} channels; only the user or a system administrator can add more.`,
  );

const STARTED_BY_OTHERS = {
  all: 'direct and group channels that others have started',
  group: 'group channels that others have started',
  webhook: 'direct channels that webhooks have started',
} as const;

/** Channels that other users start count toward a lower limit. */
export const tooManyStartedByOthers = (kind: keyof typeof STARTED_BY_OTHERS, max: number) =>
  new ValidationFailed(
    idOf('create_direct_channel.max_by_others'),
    'user_ids',
    `one of the users is already in ${max} ${STARTED_BY_OTHERS[kind]}; use an existing channel, or let that user start this one.`,
  );

export const tooManyGroups = (max: number) =>
  new ValidationFailed(
    idOf('create_group.max_groups'),
    'user_ids',
    `you have already created ${max} group channels.`,
  );

export const groupSizeRefused = (min: number, max: number) =>
  new ValidationFailed(
    idOf('create_group.bad_size'),
    'user_ids',
    `a group must have ${min} to ${max} users, including yourself.`,
  );

/** Other 400 errors, with the id `api.channel.<rule>.app_error` and the invalid field. */
export const refusals = {
  unknownDirectUser: refusal('create_direct_channel.invalid_user', 'user_ids', 'the user does not exist.'),
  unknownGroupUser: refusal('create_group.bad_user', 'user_ids', 'one of the users does not exist.'),
  directThroughCreate: refusal(
    'create_channel.direct_channel',
    'type',
    'direct and group channels are created by separate calls.',
  ),
  archived: refusal('update_channel.deleted', 'channel_id', 'the channel is archived.'),
  typeChange: refusal('update_channel.typechange', 'type', 'it cannot change here; use the privacy call.'),
  defaultRename: refusal('update_channel.tried', 'name', 'the default channel cannot be renamed.'),
  nothingToChange: refusal('patch_update_channel.no_changes', 'channel', 'it has no field that can change.'),
  directFields: refusal(
    'update_channel.update_direct_or_group_messages_not_allowed',
    'channel',
    'only the header of a direct or group channel can change.',
  ),
  archiveDefault: refusal('delete_channel.cannot', 'channel_id', 'the default channel cannot be archived.'),
  archivedAlready: refusal('delete_channel.deleted', 'channel_id', 'the channel is already archived.'),
  notArchived: refusal('restore_channel.restored', 'channel_id', 'the channel is not archived.'),
  leftTeam: refusal(
    'add_user.to.channel.failed.deleted',
    'user_id',
    'the user has left the team of the channel.',
  ),
  addToDirect: refusal(
    'add_user_to_channel.type',
    'channel_id',
    'users cannot be added to a direct or group channel.',
  ),
  removeFromDirect: refusal(
    'remove_channel_member.type',
    'channel_id',
    'users cannot leave a direct or group channel.',
  ),
  leaveDefault: refusal(
    'remove.default',
    'channel_id',
    'members of a team cannot leave its default channel.',
  ),
  idGiven: () =>
    new ValidationFailed(
      'store.sql_channel.save_channel.existing.app_error',
      'id',
      'the server assigns the id of a new channel.',
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
} as const;

function idOf(rule: string): string {
  return `api.channel.${rule}.app_error`;
}

function refusal(rule: string, field: string, reason: string): () => ValidationFailed {
  return () => new ValidationFailed(idOf(rule), field, reason);
}
