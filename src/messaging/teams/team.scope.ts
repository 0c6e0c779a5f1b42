import { Injectable } from '@nestjs/common';
import { parseIdParam } from '../../platform/common/dto/params.js';
import type { PathParams, Scope, ScopeResolver } from '../../platform/access/access.js';

/** The team that the path names, whether it exists or not. */
@Injectable()
export class TeamScope implements ScopeResolver {
  resolve(params: PathParams): Scope {
    return { teamId: parseIdParam('team_id', params['team_id']) };
  }
}
