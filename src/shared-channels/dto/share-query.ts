import { flagParam, QueryObject } from '../../platform/common/dto/query-object.js';
import type { ShareFilter } from '../shared-channels.repository.js';

/** The filters of the channels that are shared over a connection. */
export const ShareQuery = (): ParameterDecorator =>
  QueryObject<Omit<ShareFilter, 'remoteId'>>({
    excludeHome: flagParam('exclude_home', 'None of this server.'),
    excludeRemote: flagParam('exclude_remote', 'None of the other server.'),
    excludeConfirmed: flagParam(
      'exclude_confirmed',
      'Only those that the other server has not accepted yet.',
    ),
    excludeUnconfirmed: flagParam('exclude_unconfirmed', 'Only those that the other server has accepted.'),
    includeDeleted: flagParam('include_deleted', 'Those that are not shared any more as well.'),
  });
