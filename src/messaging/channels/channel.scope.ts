import { Injectable } from '@nestjs/common';
import { parseIdParam } from '../../platform/common/dto/params.js';
import type { PathParams, Scope, ScopeResolver } from '../../platform/access/access.js';

/** The channel that the path names; nobody holds anything on one that does not exist. */
@Injectable()
export class ChannelScope implements ScopeResolver {
  resolve(params: PathParams): Scope {
    return { channelId: parseIdParam('channel_id', params['channel_id']) };
  }
}
