export interface ServerProcess {
  readonly url: string;
  /** From the start of the process until it said where it answers. */
  readonly startMs: number;
  readonly pid: number;
  readonly hasEnded: boolean;
  readonly logs: readonly string[];
  /** Lines at level error, and everything on standard error. */
  readonly errors: readonly string[];
  kill(): Promise<void>;
  stop(): Promise<void>;
  residentMiB(): { readonly now: number; readonly peak: number };
  /** After a full collection; only when started with `isMeasured`. */
  liveMiB(): Promise<number>;
}

export function startServerProcess(
  env: Readonly<Record<string, string>>,
  options?: { timeoutMs?: number; isMeasured?: boolean },
): Promise<ServerProcess>;
