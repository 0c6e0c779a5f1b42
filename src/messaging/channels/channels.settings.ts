import { type AboutSettings, type Env, readInteger } from '../../platform/config/parse.js';

/** This many memberships of the largest size fit into a response; a user's channels are not paged. */
export const MAX_CHANNELS_PER_USER = 5_000;

/** Limits for channels. Throws SettingError naming the variable. */
export class ChannelsSettings {
  /** The rows of docs/settings.md. */
  static readonly about: AboutSettings = {
    Limits: {
      CHANNELS_PER_USER:
        'Maximum channels per user, including direct and group channels. Channels that others open with a user may only use [part](contract/messaging.md#room-for-channels) of it',
      GROUP_CHANNELS_PER_USER: 'Maximum group channels a user creates',
      CHANNELS_PER_CREATOR:
        'Maximum channels a user creates in a team, except team managers; archived ones do not count',
    },
  };

  readonly maxChannelsPerUser: number;
  readonly maxGroupsPerUser: number;
  readonly maxChannelsPerCreator: number;

  constructor(env: Env) {
    const max = MAX_CHANNELS_PER_USER;
    this.maxChannelsPerUser = readInteger(env, 'CHANNELS_PER_USER', max, 1, max);
    this.maxGroupsPerUser = readInteger(env, 'GROUP_CHANNELS_PER_USER', 1_000, 1, max);
    this.maxChannelsPerCreator = readInteger(env, 'CHANNELS_PER_CREATOR', 500, 1, max);
  }
}
