import { Injectable } from '@nestjs/common';
import { parseIdParam } from '../../platform/common/dto/params.js';
import type { PathParams, Scope, ScopeResolver } from '../../platform/access/access.js';

/** Resolves `team_id` of the path. Does not check that the team exists. */
@Injectable()
export class TeamScope implements ScopeResolver {
  resolve(params: PathParams): Scope {
    return { teamId: parseIdParam('team_id', params['team_id']) };
  }
}
