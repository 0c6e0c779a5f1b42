import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { BotNotFound } from './messaging/users/bots/bots.errors.js';
import {
  DeliveryIsFinal,
  DeliveryIsInFlight,
  RecoveryIsRunning,
} from './delivery/dispatch/delivery.errors.js';
import { failures as executionFailures } from './incoming-hooks/execution/execution.errors.js';
import { IncomingHookNotFound, IncomingHooksDisabled } from './incoming-hooks/incoming-hooks.errors.js';
import {
  BlankPassword,
  UserAccessTokenNotFound,
  UserAccessTokensDisabled,
} from './messaging/auth/auth.errors.js';
import {
  ChannelNameNotFound,
  ChannelNotFound,
  NoChannelsFound,
} from './messaging/channels/channels.errors.js';
import {
  PermissionNotGrantable,
  RoleNameNotFound,
  RoleNotFound,
} from './messaging/permissions/roles.errors.js';
import { PermanentDeletionDisabled, PostNotFound } from './messaging/posts/posts.errors.js';
import {
  TeamInviteNotFound,
  TeamMemberNotFound,
  TeamNameNotFound,
  TeamNotFound,
} from './messaging/teams/teams.errors.js';
import {
  SignUpDisabled,
  TooManySignUps,
  TooManyWrongPasswords,
  UsernameNotFound,
  UserNotFound,
} from './messaging/users/users.errors.js';
import {
  OutgoingHookNotFound,
  OutgoingHooksDisabled,
  SecretsUnreadable,
} from './outgoing-hooks/outgoing-hooks.errors.js';
import { ErrorDto } from './platform/common/dto/operation.js';
import type { AppError } from './platform/common/errors/app-error.js';
import {
  DatabaseUnavailable,
  InternalError,
  InvalidBodyParam,
  InvalidUrlParam,
  PermissionDenied,
  RequestBodyTooLarge,
  RouteNotFound,
  SessionExpired,
  TooManyRequests,
} from './platform/common/errors/common-errors.js';
import { errorBody } from './platform/common/http/responses.js';
import {
  CheckIsRunning,
  NotConfirmed,
  RemoteClusterNotFound,
  RemoteClustersDisabled,
  SiteUrlMissing,
  TooManyChecks,
  TooManyInvites,
} from './remote-cluster/remote-clusters.errors.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Make = () => AppError;
type Schemas = Readonly<Record<string, SchemaObject>>;
type SchemaObject = { readonly type?: string; readonly properties?: Readonly<Record<string, unknown>> };
/** An error for each operation whose method and path match; the first that matches counts. */
type Rules = readonly (readonly [operation: RegExp, make: Make])[];

const REQUEST_ID = 'k1f8zcm5wtd5jfzn8u5fxpbkjy';
const ATTEMPTS = { max: 10, windowMs: 600_000 };

const NOT_FOUND: Rules = [
  [/ \/metrics$/, () => new RouteNotFound('/metrics')],
  [/\/hooks\/outgoing\/\{/, () => new OutgoingHookNotFound()],
  [/ \/hooks\/\{/, executionFailures.unknownChannel],
  [/\/hooks\/incoming\/\{/, () => new IncomingHookNotFound()],
  [/ \/api\/v4\/remotecluster\/\{/, () => new RemoteClusterNotFound()],
  [/\/users\/tokens\//, () => new UserAccessTokenNotFound()],
  [/\/users\/username\//, () => new UsernameNotFound()],
  [/ \/api\/v4\/bots\//, () => new BotNotFound()],
  [/ POST \/api\/v4\/users$|\/members\/invite$|\/teams\/invite\//, () => new TeamInviteNotFound()],
  [/\/users\/\{user_id\}\/(teams\/\{team_id\}\/)?channels$/, () => new NoChannelsFound()],
  [/\/users\/\{user_id\}\/channels\/\{/, () => new ChannelNotFound()],
  [/ \/api\/v4\/users\//, () => new UserNotFound()],
  [/\/teams\/\{team_id\}\/members\/\{/, () => new TeamMemberNotFound()],
  [/\/roles\/name\//, () => new RoleNameNotFound()],
  [/ \/api\/v4\/roles\//, () => new RoleNotFound()],
  [/\/teams\/name\//, () => new TeamNameNotFound()],
  [/\/channels\/name\//, () => new ChannelNameNotFound()],
  [/ \/api\/v4\/posts\/\{|\/posts\/ids$/, () => new PostNotFound()],
  [/ \/api\/v4\/(channels\/\{|posts|hooks)/, () => new ChannelNotFound()],
  [/./, () => new TeamNotFound()],
];

const CONFLICT: Rules = [
  [/\/retry$/, () => new DeliveryIsInFlight()],
  [/\/recover$/, () => new RecoveryIsRunning()],
  [/\/check$/, () => new CheckIsRunning()],
  [/\/request$/, () => new DeliveryIsFinal('post_deleted')],
  [/\/test$/, () => new SecretsUnreadable()],
];

const TOO_MANY: Rules = [
  [/\/check$/, () => new TooManyChecks(60)],
  [/remotecluster/, () => new TooManyInvites(60)],
  [/\/login$|\{user_id\}/, () => new TooManyWrongPasswords(ATTEMPTS, 240_000)],
  [/ \/api\/v4\/users$/, () => new TooManySignUps(ATTEMPTS, 240_000)],
  [/./, () => new TooManyRequests('64 requests')],
];

const SWITCHED_OFF: Rules = [
  [/\/hooks\/outgoing/, () => new OutgoingHooksDisabled()],
  [/ \/hooks\/\{/, executionFailures.disabled],
  [/\/hooks\//, () => new IncomingHooksDisabled()],
  [/remotecluster|sharedchannels/, () => new RemoteClustersDisabled()],
  [/tokens/, () => new UserAccessTokensDisabled()],
  [/ \/api\/v4\/users$/, () => new SignUpDisabled()],
  [/posts/, () => new PermanentDeletionDisabled()],
  [/roles/, () => new PermissionNotGrantable('manage_jobs')],
];

const RULES: Readonly<Record<string, Rules>> = {
  400: [
    [/ \/hooks\/\{/, executionFailures.noText],
    [/\/login$/, () => new BlankPassword()],
    [/\/check$/, () => new NotConfirmed()],
  ],
  401: [[/./, () => new SessionExpired()]],
  403: [
    [/ \/hooks\/\{/, executionFailures.locked],
    [/./, () => new PermissionDenied('manage_webhooks')],
  ],
  404: NOT_FOUND,
  409: CONFLICT,
  413: [[/./, () => new RequestBodyTooLarge(300_000)]],
  422: [[/./, () => new SiteUrlMissing()]],
  429: TOO_MANY,
  500: [[/./, () => new InternalError()]],
  501: SWITCHED_OFF,
  503: [[/./, () => new DatabaseUnavailable()]],
};

/** Gives each error answer of the document an example: what this operation answers with this status. */
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

/** What is found first of all: a text that is none, or else an id in the path. */
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
