import type { Findings } from '../findings.js';
import type { Fields } from './fields.js';
import type { MattermostDatabase, SourceRow } from './source.js';
import type { Target, TargetRows } from '../target-rows.js';

/** Why a row is not imported. */
export class Left {
  constructor(readonly reason: string) {}
}

/** What the rows of a table need to know about those imported before. */
export interface World {
  readonly users: Map<string, { readonly isBot: boolean }>;
  readonly teams: Set<string>;
  readonly channels: Map<
    string,
    { readonly type: string; readonly teamId: string; readonly isArchived: boolean }
  >;
  /** The connections that are imported, and the channels that are shared over them. */
  readonly remotes: ReadonlySet<string>;
  readonly sharedChannels: ReadonlySet<string>;
  /** The connection over which each shared channel came; empty at home. */
  readonly foreignChannels: Map<string, string>;
  /** Names given to rows so far, because case does not matter there but here. */
  readonly names: Map<string, string>;
  readonly notes: Findings;
  /** When this run began, in milliseconds since the epoch. */
  readonly now: number;
}

/** How a table is imported. */
export interface TableImport<T extends Target = Target> {
  /** The table there. */
  readonly from: string;
  readonly to: T;
  /** The primary key there, in order. */
  readonly key: readonly string[];
  /** The same key here. */
  readonly keyHere: readonly (keyof TargetRows[T] & string)[];
  /** Names a row in the report. An id can be a secret, such as the one of a webhook, and says nothing to people. */
  readonly name: string;
  readonly columns: readonly string[];
  /** An indexed time that every change raises, so that a later run reads only what has changed. */
  readonly changedAt?: string;
  /** Properties that have other values here by nature, or that change here. They are written only once. */
  readonly kept?: readonly (keyof TargetRows[T])[];
  /** For rows of users that are deleted there, and then here too: when a row was added. */
  readonly addedAt?: keyof TargetRows[T] & string;
  /** Adds what other tables say about rows; the values become columns. */
  readonly complete?: (rows: SourceRow[], source: MattermostDatabase) => Promise<SourceRow[]>;
  /** Values of a changed row that depend on both. */
  readonly merge?: (here: TargetRows[T], there: TargetRows[T]) => Partial<TargetRows[T]>;
  /** Sealed columns contain their plain text. */
  readonly map: (fields: Fields, world: World) => TargetRows[T] | Left;
}
