import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import {
  deliveryIsFinal,
  deliveryIsInFlight,
  recoveryIsRunning,
} from './delivery/dispatch/delivery.errors.js';
import { failures as executionFailures } from './incoming-hooks/execution/execution.errors.js';
import { incomingHookNotFound, incomingHooksDisabled } from './incoming-hooks/incoming-hooks.errors.js';
import {
  blankPassword,
  userAccessTokenNotFound,
  userAccessTokensDisabled,
} from './messaging/auth/auth.errors.js';
import {
  channelNameNotFound,
  channelNotFound,
  noChannelsFound,
} from './messaging/channels/channels.errors.js';
import {
  permissionNotGrantable,
  roleNameNotFound,
  roleNotFound,
} from './messaging/permissions/roles.errors.js';
import { permanentDeletionDisabled, postNotFound } from './messaging/posts/posts.errors.js';
import { notAvailable } from './messaging/system/empty-answers.controller.js';
import {
  teamInviteNotFound,
  teamMemberNotFound,
  teamNameNotFound,
  teamNotFound,
} from './messaging/teams/teams.errors.js';
import {
  botNotFound,
  signUpDisabled,
  tooMany,
  usernameNotFound,
  userNotFound,
} from './messaging/users/users.errors.js';
import {
  OutgoingHookNotFound,
  outgoingHooksDisabled,
  secretsUnreadable,
  tooManyTestCalls,
} from './outgoing-hooks/outgoing-hooks.errors.js';
import { ErrorDto } from './platform/common/dto/operation.js';
import type { AppError } from './platform/common/errors/app-error.js';
import {
  DatabaseUnavailable,
  internalError,
  InvalidBodyParam,
  InvalidUrlParam,
  permissionDenied,
  requestBodyTooLarge,
  RouteNotFound,
  sessionExpired,
  tooManyRequests,
} from './platform/common/errors/common-errors.js';
import { errorBody } from './platform/common/http/responses.js';
import {
  checkIsRunning,
  notConfirmed,
  RemoteClusterNotFound,
  remoteClustersDisabled,
  siteUrlMissing,
  tooManyChecks,
  tooManyInvites,
} from './remote-cluster/remote-clusters.errors.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Make = () => AppError;
type Schemas = Readonly<Record<string, SchemaObject>>;
type SchemaObject = { readonly type?: string; readonly properties?: Readonly<Record<string, unknown>> };
/** Errors by method and path of the operation; the first match applies. */
type Rules = readonly (readonly [operation: RegExp, make: Make])[];

const REQUEST_ID = 'k1f8zcm5wtd5jfzn8u5fxpbkjy';
const ATTEMPTS = { max: 10, windowMs: 600_000 };

const NOT_FOUND: Rules = [
  [/ \/metrics$/, () => new RouteNotFound('/metrics')],
  [/\/hooks\/outgoing\/\{/, () => new OutgoingHookNotFound()],
  [/ \/hooks\/\{/, executionFailures.unknownChannel],
  [/\/hooks\/incoming\/\{/, () => incomingHookNotFound()],
  [/ \/api\/v4\/remotecluster\/\{/, () => new RemoteClusterNotFound()],
  [/\/users\/tokens\//, () => userAccessTokenNotFound()],
  [/\/users\/username\//, () => usernameNotFound()],
  [/ \/api\/v4\/bots\//, () => botNotFound()],
  [/ POST \/api\/v4\/users$|\/members\/invite$|\/teams\/invite\//, () => teamInviteNotFound()],
  [/\/users\/\{user_id\}\/(teams\/\{team_id\}\/)?channels$/, () => noChannelsFound()],
  [/\/users\/\{user_id\}\/channels\/\{/, () => channelNotFound()],
  [/\/teams\/\{team_id\}\/unread$/, () => teamNotFound()],
  [/ \/api\/v4\/users\//, () => userNotFound()],
  [/\/teams\/\{team_id\}\/members\/\{/, () => teamMemberNotFound()],
  [/\/roles\/name\//, () => roleNameNotFound()],
  [/ \/api\/v4\/roles\//, () => roleNotFound()],
  [/\/teams\/name\//, () => teamNameNotFound()],
  [/\/channels\/name\//, () => channelNameNotFound()],
  [/ \/api\/v4\/posts\/\{|\/posts\/ids$/, () => postNotFound()],
  [/ \/api\/v4\/(channels\/\{|posts|hooks)/, () => channelNotFound()],
  [/./, () => teamNotFound()],
];

const CONFLICT: Rules = [
  [/\/retry$/, () => deliveryIsInFlight()],
  [/\/recover$/, () => recoveryIsRunning()],
  [/\/check$/, () => checkIsRunning()],
  [/\/request$/, () => deliveryIsFinal('post_deleted')],
  [/\/test$/, () => secretsUnreadable()],
];

const TOO_MANY: Rules = [
  [/\/check$/, () => tooManyChecks(60)],
  [/\/test$/, () => tooManyTestCalls('You have 4 test calls')],
  [/remotecluster/, () => tooManyInvites(60)],
  [/\/login$|\{user_id\}/, () => tooMany('perNameAndAddress', ATTEMPTS, 240_000)],
  [/ \/api\/v4\/users$/, () => tooMany('signUpsPerAddress', ATTEMPTS, 240_000)],
  [/./, () => tooManyRequests('64 requests')],
];

const SWITCHED_OFF: Rules = [
  [/\/hooks\/outgoing/, () => outgoingHooksDisabled()],
  [/ \/hooks\/\{/, executionFailures.disabled],
  [/\/hooks\//, () => incomingHooksDisabled()],
  [/remotecluster|sharedchannels/, () => remoteClustersDisabled()],
  [/tokens/, () => userAccessTokensDisabled()],
  [/ \/api\/v4\/users$/, () => signUpDisabled()],
  [/posts/, () => permanentDeletionDisabled()],
  [/roles/, () => permissionNotGrantable('manage_jobs')],
  [/./, () => notAvailable('This is not available on this server.')],
];

const RULES: Readonly<Record<string, Rules>> = {
  400: [
    [/ \/hooks\/\{/, executionFailures.noText],
    [/\/login$/, () => blankPassword()],
    [/\/check$/, () => notConfirmed()],
  ],
  401: [[/./, () => sessionExpired()]],
  403: [
    [/ \/hooks\/\{/, executionFailures.locked],
    [/./, () => permissionDenied('manage_webhooks')],
  ],
  404: NOT_FOUND,
  409: CONFLICT,
  413: [[/./, () => requestBodyTooLarge(300_000)]],
  422: [[/./, () => siteUrlMissing()]],
  429: TOO_MANY,
  500: [[/./, () => internalError()]],
  501: SWITCHED_OFF,
  503: [[/./, () => new DatabaseUnavailable()]],
};

/** Adds an example to each error response: the error of this operation with this status. */
export function addErrorExamples({ paths, components }: OpenAPIObject): void {
  const schemas = (components?.schemas ?? {}) as Schemas;
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries<Operation>(methods as never))
      for (const [status, response] of Object.entries(operation.responses)) {
        const media = response && 'content' in response ? response.content?.['application/json'] : undefined;
        if (Number(status) < 400 || !isError(media?.schema)) continue;
        const error = exampleOf(` ${method.toUpperCase()} ${path}`, status, operation, schemas);
        if (media && error) media.example = errorBody(error, REQUEST_ID, false);
      }
}

function isError(schema: object | undefined): boolean {
  return schema !== undefined && '$ref' in schema && schema.$ref === getSchemaPath(ErrorDto);
}

function exampleOf(
  name: string,
  status: string,
  operation: Operation,
  schemas: Schemas,
): AppError | undefined {
  const found = RULES[status]?.find(([matches]) => matches.test(name))?.[1]();
  return found ?? (status === '400' ? malformed(operation, schemas) : undefined);
}

/** The first error that validation finds: a mistyped text, or else an id in the path. */
function malformed({ requestBody, parameters = [] }: Operation, schemas: Schemas): AppError {
  if (requestBody && 'content' in requestBody) {
    const { schema = {} } = requestBody.content['application/json'] ?? {};
    const { properties = {} } =
      '$ref' in schema ? (schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {}) : schema;
    const text = Object.keys(properties).find(
      (field) => (properties[field] as SchemaObject).type === 'string',
    );
    return text
      ? new InvalidBodyParam(text, 'must be a string')
      : new InvalidBodyParam('body', 'it must be JSON');
  }
  const [first] = parameters.flatMap((parameter) => ('name' in parameter ? parameter.name : []));
  return new InvalidUrlParam(first ?? 'id');
}
