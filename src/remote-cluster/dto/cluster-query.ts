import { Param, type PipeTransform } from '@nestjs/common';
import { RouteNotFound } from '../../platform/common/errors/common-errors.js';
import { describePathParam, documented } from '../../platform/common/dto/documented-param.js';
import { flagParam, idParam, QueryObject, textParam } from '../../platform/common/dto/query-object.js';
import { isAlphanumeric } from '../../platform/common/ids.js';

/** What a list of connections is asked for (docs/contract/secure-connections.md#list). */
export interface ClusterQuery {
  readonly excludeOffline: boolean;
  readonly inChannel: string | undefined;
  readonly notInChannel: string | undefined;
  readonly topic: string | undefined;
  readonly creatorId: string | undefined;
  readonly pluginId: string | undefined;
  readonly onlyConfirmed: boolean;
  readonly onlyPlugins: boolean;
  readonly excludePlugins: boolean;
  readonly includeDeleted: boolean;
}

/** The filters of the list. */
export const QueryClusters = (): ParameterDecorator =>
  QueryObject<ClusterQuery>({
    excludeOffline: flagParam(
      'exclude_offline',
      'Only peers that have answered a ping within `PEER_OFFLINE_AFTER`.',
    ),
    inChannel: idParam('in_channel', 'Only those that share this channel.'),
    notInChannel: idParam('not_in_channel', 'Only those that do not share this channel.'),
    topic: textParam('topic', 'Only those that take messages of this topic.'),
    creatorId: idParam('creator_id', 'Only those that this user made.'),
    pluginId: {
      ...textParam('plugin_id', 'Only those of this plugin.'),
      parse: (text) => text || undefined,
    },
    onlyConfirmed: flagParam('only_confirmed', 'No connections whose invite is still waiting.'),
    onlyPlugins: flagParam('only_plugins', 'Only those of plugins.'),
    excludePlugins: flagParam('exclude_plugins', 'None of plugins.'),
    includeDeleted: flagParam('include_deleted', 'Deleted ones as well.'),
  });

/** The shape is no matter of a 400 here: an id of another length is unknown. */
class RemoteIdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!isAlphanumeric(value)) throw new RouteNotFound(':remote_id');
    return value;
  }
}

/** The id of a connection in the path. */
export const RemoteIdParam = (): ParameterDecorator =>
  documented(
    Param('remote_id', new RemoteIdPipe()),
    describePathParam('remote_id', { description: 'The connection.', example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }),
    false,
  );
