export interface DeliveryCrashReport {
  readonly kills: number;
  /** Of these, how many were a SIGTERM. */
  readonly stops: number;
  readonly killedStarts: number;
  readonly failedKills: number;
  readonly acknowledged: number;
  readonly stored: number;
  readonly deliveries: number;
  readonly calls: number;
  /** Calls that a receiver accepted though it had accepted the delivery before. */
  readonly repeatedCalls: number;
  readonly replies: number;
  readonly slowestSettleMs: number;
  readonly lost: readonly string[];
  readonly unreceived: readonly string[];
  readonly doubled: readonly string[];
  readonly wrong: readonly string[];
}

export function runDeliveryCrashes(options: {
  env: Readonly<Record<string, string>>;
  place: { readonly dataDir: string; readonly databaseUrl: string | undefined };
  kills: number;
  seed: number;
  connections?: number;
  longestLoadMs?: number;
  say?: (report: DeliveryCrashReport) => void;
}): Promise<DeliveryCrashReport>;
