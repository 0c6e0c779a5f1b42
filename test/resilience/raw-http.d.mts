export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** The server ended the connection after this answer. */
  readonly isClosed: boolean;
}

export class RawConnection {
  /** `place` is a URL, or the path of a Unix socket. */
  constructor(place: string);
  send(
    parts: readonly (Buffer | string)[],
    options?: { method?: string; timeoutMs?: number },
  ): Promise<RawAnswer>;
  sendAndLeave(parts: readonly Buffer[]): Promise<void>;
  close(): void;
}
