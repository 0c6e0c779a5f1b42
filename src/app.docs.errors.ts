import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import * as deliveries from './delivery/dispatch/delivery.errors.js';
import {
  failures as executionFailures,
  tooManyCalls,
  unverified,
} from './incoming-hooks/execution/execution.errors.js';
import { RocketChatErrorDto } from './incoming-hooks/dto/payload.dto.js';
import * as incomingHooks from './incoming-hooks/incoming-hooks.errors.js';
import * as auth from './messaging/auth/auth.errors.js';
import * as channels from './messaging/channels/channels.errors.js';
import * as roles from './messaging/permissions/roles.errors.js';
import * as posts from './messaging/posts/posts.errors.js';
import { notAvailable } from './messaging/system/empty-answers.controller.js';
import * as teams from './messaging/teams/teams.errors.js';
import * as users from './messaging/users/users.errors.js';
import * as outgoingHooks from './outgoing-hooks/outgoing-hooks.errors.js';
import { ErrorDto } from './platform/common/dto/operation.js';
import type { AppError } from './platform/common/errors/app-error.js';
import * as common from './platform/common/errors/common-errors.js';
import { errorBody } from './platform/common/http/responses.js';
import * as remoteClusters from './remote-cluster/remote-clusters.errors.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Make = () => AppError;
type Schemas = Readonly<Record<string, SchemaObject>>;
type SchemaObject = { readonly type?: string; readonly properties?: Readonly<Record<string, unknown>> };
/** Errors by method and path of the operation; the first match applies. */
type Rules = readonly (readonly [operation: RegExp, make: Make])[];

const REQUEST_ID = 'k1f8zcm5wtd5jfzn8u5fxpbkjy';
const ATTEMPTS = { max: 10, windowMs: 600_000 };

const NOT_FOUND: Rules = [
  [/ \/metrics$/, () => new common.RouteNotFound('/metrics')],
  [/\/hooks\/outgoing\/\{/, () => new outgoingHooks.OutgoingHookNotFound()],
  [/\/\{token\}$/, executionFailures.unknownRocketChatPath],
  [/ \/(hooks|services)\/\{/, executionFailures.unknownChannel],
  [/\/hooks\/incoming\/\{/, () => incomingHooks.incomingHookNotFound()],
  [/ \/api\/v4\/remotecluster\/\{/, () => new remoteClusters.RemoteClusterNotFound()],
  [/\/users\/tokens\//, () => auth.userAccessTokenNotFound()],
  [/\/users\/username\//, () => users.usernameNotFound()],
  [/ \/api\/v4\/bots\//, () => users.botNotFound()],
  [/ POST \/api\/v4\/users$|\/members\/invite$|\/teams\/invite\//, () => teams.teamInviteNotFound()],
  [/\/users\/\{user_id\}\/(teams\/\{team_id\}\/)?channels$/, () => channels.noChannelsFound()],
  [/\/users\/\{user_id\}\/channels\/\{/, () => channels.channelNotFound()],
  [/\/teams\/\{team_id\}\/unread$/, () => teams.teamNotFound()],
  [/ \/api\/v4\/users\//, () => users.userNotFound()],
  [/\/teams\/\{team_id\}\/members\/\{/, () => teams.teamMemberNotFound()],
  [/\/roles\/name\//, () => roles.roleNameNotFound()],
  [/ \/api\/v4\/roles\//, () => roles.roleNotFound()],
  [/\/teams\/name\//, () => teams.teamNameNotFound()],
  [/\/channels\/name\//, () => channels.channelNameNotFound()],
  [/ \/api\/v4\/posts\/\{|\/posts\/ids$/, () => posts.postNotFound()],
  [/ \/api\/v4\/(channels\/\{|posts|hooks)/, () => channels.channelNotFound()],
  [/./, () => teams.teamNotFound()],
];

const CONFLICT: Rules = [
  [/\/(retry|skip)$/, () => deliveries.deliveryIsInFlight()],
  [/\/recover$/, () => deliveries.recoveryIsRunning()],
  [/\/check$/, () => remoteClusters.checkIsRunning()],
  [/\/request$/, () => deliveries.deliveryIsFinal('post_deleted')],
  [/\/test$/, () => outgoingHooks.secretsUnreadable()],
  [/\/(pull|ack|nack)$/, () => outgoingHooks.hookIsPushed()],
];

const TOO_MANY: Rules = [
  [/\/check$/, () => remoteClusters.tooManyChecks(60)],
  [/\/test$/, () => outgoingHooks.tooManyTestCalls('You have 4 test calls')],
  [/\/pull$/, () => deliveries.tooManyPulls('32 calls wait for this webhook')],
  [/ \/(hooks|services)\/\{/, () => tooManyCalls(600, {})],
  [/remotecluster/, () => remoteClusters.tooManyInvites(60)],
  [/\/login$|\{user_id\}/, () => users.tooMany('perNameAndAddress', ATTEMPTS, 240_000)],
  [/ \/api\/v4\/users$/, () => users.tooMany('signUpsPerAddress', ATTEMPTS, 240_000)],
  [/./, () => common.tooManyRequests('64 requests')],
];

const SWITCHED_OFF: Rules = [
  [/\/hooks\/outgoing/, () => outgoingHooks.outgoingHooksDisabled()],
  [/ \/(hooks|services)\/\{/, executionFailures.disabled],
  [/\/hooks\//, () => incomingHooks.incomingHooksDisabled()],
  [/remotecluster|sharedchannels/, () => remoteClusters.remoteClustersDisabled()],
  [/tokens/, () => auth.userAccessTokensDisabled()],
  [/ \/api\/v4\/users$/, () => users.signUpDisabled()],
  [/posts/, () => posts.permanentDeletionDisabled()],
  [/roles/, () => roles.permissionNotGrantable('manage_jobs')],
  [/./, () => notAvailable('This is not available on this server.')],
];

const RULES: Readonly<Record<string, Rules>> = {
  400: [
    [/ \/(hooks|services)\/\{/, executionFailures.noText],
    [/\/login$/, () => auth.blankPassword()],
    [/\/check$/, () => remoteClusters.notConfirmed()],
  ],
  401: [
    [/ \/(hooks|services)\/\{/, () => unverified('the header X-Hub-Signature-256 is missing')],
    [/./, () => common.sessionExpired()],
  ],
  403: [
    [/ \/(hooks|services)\/\{/, executionFailures.locked],
    [/./, () => common.permissionDenied('manage_webhooks')],
  ],
  404: NOT_FOUND,
  409: CONFLICT,
  413: [[/./, () => common.requestBodyTooLarge(300_000)]],
  422: [[/./, () => remoteClusters.siteUrlMissing()]],
  424: [[/./, () => outgoingHooks.hookIsUnhealthy('failing', 'http_5xx')]],
  429: TOO_MANY,
  500: [[/./, () => common.internalError()]],
  501: SWITCHED_OFF,
  503: [[/./, () => new common.DatabaseUnavailable()]],
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
        if (!media || !error) continue;
        const ofRocketChat = path.endsWith('/{token}') && { success: false, error: error.message };
        media.example = { ...errorBody(error, REQUEST_ID, false), ...ofRocketChat };
      }
}

function isError(schema: object | undefined): boolean {
  const shapes: unknown[] = [ErrorDto, RocketChatErrorDto].map(getSchemaPath);
  return schema !== undefined && '$ref' in schema && shapes.includes(schema.$ref);
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
      ? new common.InvalidBodyParam(text, 'must be a string')
      : new common.InvalidBodyParam('body', 'it must be JSON');
  }
  const [first] = parameters.flatMap((parameter) => ('name' in parameter ? parameter.name : []));
  return new common.InvalidUrlParam(first ?? 'id');
}
