import { Injectable } from '@nestjs/common';
import { parseIdParam } from '../../platform/common/dto/params.js';
import type { PathParams, Scope, ScopeResolver } from '../../platform/access/access.js';

/** Resolves `channel_id` of the path. The channel may not exist: nobody has permissions on an unknown one. */
@Injectable()
export class ChannelScope implements ScopeResolver {
  resolve(params: PathParams): Scope {
    return { channelId: parseIdParam('channel_id', params['channel_id']) };
  }
}
