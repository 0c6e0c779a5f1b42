export interface FoundPosts {
  readonly pieces: ReadonlyMap<string, readonly number[]>;
  readonly foreign: readonly string[];
  readonly damaged: readonly string[];
  readonly seq: number;
}

export interface StoredRows {
  postsAfter(seq: number, channelIds: readonly string[]): Promise<FoundPosts>;
  hooksNamed(prefix: string): Promise<ReadonlyMap<string, number>>;
  wrongCounters(channelIds: readonly string[], rootId: string): Promise<string[]>;
  close(): Promise<void>;
}

export function openStoredRows(place: {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}): Promise<StoredRows>;
