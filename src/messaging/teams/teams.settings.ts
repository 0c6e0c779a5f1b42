import { type Env, readInteger } from '../../platform/config/parse.js';

/** So many of the largest teams are no more than an answer may have: a user's teams are not paged. */
export const MAX_TEAMS_PER_USER = 2_000;

/** How many teams there may be. Throws SettingError naming the variable. */
export class TeamsSettings {
  /** How many teams a user can be in. */
  readonly maxTeamsPerUser: number;

  constructor(env: Env) {
    this.maxTeamsPerUser = readInteger(env, 'TEAMS_PER_USER', 1_000, 1, MAX_TEAMS_PER_USER);
  }
}
