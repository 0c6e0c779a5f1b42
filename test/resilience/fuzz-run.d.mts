export interface FuzzReport {
  readonly count: number;
  readonly seconds: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly routes: number;
  /** Routes that never answered with a success. */
  readonly refusing: readonly string[];
  /** Each with what is needed to repeat the request. */
  readonly faults: readonly string[];
  readonly memory: {
    readonly before: { readonly resident: number; readonly live: number };
    readonly after: { readonly resident: number; readonly live: number };
    readonly peak: number;
  };
}

export function runFuzz(options: {
  env: Readonly<Record<string, string>>;
  count: number;
  seed: number;
  connections?: number;
  say?: (progress: { sent: number; seconds: number; faults: number; residentMiB: number }) => void;
}): Promise<FuzzReport>;
