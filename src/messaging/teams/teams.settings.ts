import { type AboutSettings, type Env, readInteger } from '../../platform/config/parse.js';

/** This many teams of the largest size fit into a response; a user's teams are not paged. */
export const MAX_TEAMS_PER_USER = 2_000;

/** Limits for teams. Throws SettingError naming the variable. */
export class TeamsSettings {
  /** The rows of docs/settings.md. */
  static readonly about: AboutSettings = {
    Limits: {
      TEAMS_PER_USER:
        'Maximum teams a user is in, and teams a user creates, including left and archived ones; at most 2,000, because their list has no pages. Others can add a user to half as many. System administrators can create any number',
    },
  };

  readonly maxTeamsPerUser: number;

  constructor(env: Env) {
    this.maxTeamsPerUser = readInteger(env, 'TEAMS_PER_USER', 1_000, 1, MAX_TEAMS_PER_USER);
  }
}
