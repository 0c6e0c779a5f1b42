import type { Callers, PrivateWorld } from '../factories/private-world.js';

/** A request of a caller without permission, and its response. */
export interface Refusal {
  readonly by: keyof Callers;
  readonly params?: (world: PrivateWorld) => Readonly<Record<string, string>>;
  readonly query?: (world: PrivateWorld) => string;
  readonly body?: (world: PrivateWorld) => unknown;
  /** Other than 403: 404 where the contract hides what exists, 200 where it omits what the caller cannot see. */
  readonly status?: 200 | 201 | 404;
  /** The status for a caller with permission; a success by default. */
  readonly allowed?: number;
}

type Fields = Omit<Refusal, 'by'>;

export type Body = Refusal['body'];

const refusalOf =
  (by: keyof Callers) =>
  (body?: Body, fields: Fields = {}): Refusal => ({ by, ...(body && { body }), ...fields });

export const outsider = refusalOf('outsider');
export const member = refusalOf('member');
export const teamAdmin = refusalOf('teamAdmin');
export const supporter = refusalOf('supporter');
export const powerless = refusalOf('powerless');
export const channelManager = refusalOf('channelManager');

export const PASSWORD = 'told over the telephone';

export const inOpen = { params: ({ open }: PrivateWorld) => ({ channel_id: open.id }) };

export const ofAdmin = { params: ({ administrator }: PrivateWorld) => ({ user_id: administrator.id }) };

export const notConfirmed = { allowed: 400 };

export const leavesOut = { status: 200 } as const;

export const hides = { status: 404 } as const;

export const roles =
  (names: string): Body =>
  () => ({ roles: names });

export const schemeRoles: Body = () => ({ scheme_user: true, scheme_admin: true });
