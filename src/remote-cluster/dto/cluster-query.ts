import { applyDecorators } from '@nestjs/common';
import { createParamDecorator, type ExecutionContext, Param, type PipeTransform } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { RouteNotFound } from '../../platform/common/errors/common-errors.js';
import { describePathParam, documented } from '../../platform/common/dto/documented-param.js';
import { queryFlag, queryId, queryText } from '../../platform/common/dto/params.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
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

export const QueryClusters = createParamDecorator((_: unknown, context: ExecutionContext): ClusterQuery => {
  const request = context.switchToHttp().getRequest<HttpRequest>();
  return {
    excludeOffline: queryFlag(request, 'exclude_offline'),
    inChannel: queryId(request, 'in_channel'),
    notInChannel: queryId(request, 'not_in_channel'),
    topic: queryText(request, 'topic'),
    creatorId: queryId(request, 'creator_id'),
    pluginId: queryText(request, 'plugin_id') || undefined,
    onlyConfirmed: queryFlag(request, 'only_confirmed'),
    onlyPlugins: queryFlag(request, 'only_plugins'),
    excludePlugins: queryFlag(request, 'exclude_plugins'),
    includeDeleted: queryFlag(request, 'include_deleted'),
  };
});

const FLAGS: Readonly<Record<string, string>> = {
  exclude_offline: 'Only peers that have answered a ping within `PEER_OFFLINE_AFTER`.',
  only_confirmed: 'No connections whose invite is still waiting.',
  only_plugins: 'Only those of plugins.',
  exclude_plugins: 'None of plugins.',
  include_deleted: 'Deleted ones as well.',
};
const TEXTS: Readonly<Record<string, string>> = {
  in_channel: 'Only those that share this channel.',
  not_in_channel: 'Only those that do not share this channel.',
  topic: 'Only those that take messages of this topic.',
  creator_id: 'Only those that this user made.',
  plugin_id: 'Only those of this plugin.',
};

/** Documents the filters. */
export const ApiClusterQuery = (): MethodDecorator =>
  applyDecorators(
    ...Object.entries(FLAGS).map(([name, description]) =>
      ApiQuery({ name, description, required: false, schema: { type: 'boolean', default: false } }),
    ),
    ...Object.entries(TEXTS).map(([name, description]) =>
      ApiQuery({ name, description, required: false, schema: { type: 'string' } }),
    ),
  );

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
