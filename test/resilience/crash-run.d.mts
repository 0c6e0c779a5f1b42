export interface CrashReport {
  readonly kills: number;
  /** Kills after which something was not as it must be. */
  readonly failedKills: number;
  readonly killedStarts: number;
  readonly acknowledged: number;
  readonly unanswered: number;
  /** Unanswered requests that had got into the database before the kill. */
  readonly storedUnanswered: number;
  readonly repeated: number;
  readonly stored: number;
  readonly slowestStartMs: number;
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly half: readonly string[];
  readonly wrong: readonly string[];
  readonly unclean: readonly string[];
}

export function runCrashes(options: {
  env: Readonly<Record<string, string>>;
  place: { readonly dataDir: string; readonly databaseUrl: string | undefined };
  kills: number;
  seed: number;
  connections?: number;
  /** The kill comes up to this long after the first answers. */
  longestLoadMs?: number;
  say?: (report: CrashReport) => void;
}): Promise<CrashReport>;
