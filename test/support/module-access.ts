import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestServer } from './test-server.js';
import type { BuiltUser } from '../factories/users.js';
import type { ApiClient } from './api-client.mjs';
import type { Refusal } from './refusals.js';

/** A request to a route: what it is made of. */
export type Request = Pick<Refusal, 'params' | 'query' | 'body'>;

/** What a caller with this role may do while the role grants the permission, and not otherwise. */
export type PermissionCase = readonly [
  permission: string,
  role: string,
  request: () => Promise<PermittedRequest> | PermittedRequest,
  /** By default a user with the role: a member of the team, or its administrator. */
  by?: () => BuiltUser,
];
export type PermittedRequest = readonly [method: string, path: string, body?: unknown];

/** A call to an audited route. */
export interface AuditedCall {
  readonly path: string;
  readonly body: unknown;
  /** Of its row; by default the `id` of the response. */
  readonly target?: string | ((answer: any) => string);
  readonly client?: ApiClient;
  readonly headers?: Record<string, string>;
}

/** What every suite about access needs to know of a module. Each file in `test/access` exports one. */
export interface ModuleAccess {
  /** Makes what a path parameter names; gives its id. The parameters of the server's own modules are known already. */
  readonly records?: Readonly<Record<string, (client: ApiClient, teamId: string) => Promise<string>>>;
  /** For each route that not everybody may call: requests of callers without the right. */
  readonly refusals?: Readonly<Record<string, readonly Refusal[]>>;
  /** The same of routes that destroy what others need; they are called last. */
  readonly destroying?: Readonly<Record<string, readonly Refusal[]>>;
  /** Routes that every signed-in user may call. */
  readonly forEverybody?: readonly string[];
  /** For docs/access.md: requests of routes without refusals, and where the first refusal shows less. */
  readonly requests?: Readonly<Record<string, Request>>;
  /** At least one case for each permission that routes ask for. */
  readonly permissions?: (world: () => PermissionWorld) => readonly PermissionCase[];
  /** A call of each audited route that takes a body. */
  readonly audited?: (
    world: () => AuditWorld,
  ) => Readonly<Record<string, () => Promise<AuditedCall> | AuditedCall>>;
  /** How large answers can be, where neither the OpenAPI document nor a column says it: see `answer-bounds.ts`. */
  readonly bounds?: AnswerBounds;
}

export interface PermissionWorld {
  readonly admin: ApiClient;
  readonly teamId: string;
  readonly member: BuiltUser;
  readonly teamAdmin: BuiltUser;
}

export interface AuditWorld {
  readonly server: TestServer;
  readonly teamId: string;
}

export interface AnswerBounds {
  /** The table that a schema shows: its fields are as long as the columns. */
  readonly entities?: Readonly<Record<string, { readonly name: string }>>;
  /** Bytes of a field. */
  readonly fields?: Readonly<Record<string, number>>;
  /** Items of a list. */
  readonly items?: Readonly<Record<string, number>>;
  /** Bytes of a whole answer. */
  readonly answers?: Readonly<Record<string, number>>;
}

const FOLDER = join(__dirname, '..', 'access');
/** What stands in others is destroyed before them. */
const DESTROYED_LAST = ['posts', 'channels', 'teams', 'users', 'auth'];

/** By the name of the module. */
const modules = new Map(
  readdirSync(FOLDER).map((file): [string, ModuleAccess] => [
    file.replace(/\.ts$/, ''),
    jest.requireActual<{ access: ModuleAccess }>(join(FOLDER, file)).access,
  ]),
);
const all = [...modules.values()];
const merged = <K extends keyof ModuleAccess>(name: K): NonNullable<ModuleAccess[K]> =>
  Object.assign({}, ...all.map((module) => module[name])) as NonNullable<ModuleAccess[K]>;

export const RECORDS = merged('records');
export const REQUESTS = merged('requests');
export const FOR_EVERYBODY = all.flatMap(({ forEverybody = [] }) => forEverybody);
export const BOUNDS = all.flatMap(({ bounds = [] }) => bounds);

/** A system administrator sends each of them too, in this order, and is allowed to. Those that destroy come last. */
export const REFUSALS: Readonly<Record<string, readonly Refusal[]>> = {
  ...merged('refusals'),
  ...Object.assign(
    {},
    ...[...modules]
      .sort(([one], [other]) => DESTROYED_LAST.indexOf(one) - DESTROYED_LAST.indexOf(other))
      .map(([, { destroying }]) => destroying),
  ),
};

/** `world` is called by the cases, once there is one. */
export const permissionCases = (world: () => PermissionWorld): PermissionCase[] =>
  all.flatMap(({ permissions }) => permissions?.(world) ?? []);

export const auditedCalls = (
  world: () => AuditWorld,
): Record<string, () => Promise<AuditedCall> | AuditedCall> =>
  Object.assign({}, ...all.map(({ audited }) => audited?.(world)));

/** The routes of the only module that `npm run check:module` checks. */
const name = process.env['CHECK_MODULE'];
const only = name === undefined ? undefined : (modules.get(name) ?? {});
const checked =
  only &&
  new Set([
    ...Object.keys({ ...only.refusals, ...only.destroying, ...only.requests }),
    ...(only.forEverybody ?? []),
  ]);

/** Whether suites about all routes call this one, `GET /teams/:team_id`. */
export const isChecked = (route: string): boolean => checked?.has(route) ?? true;
