export interface Sent {
  readonly kind: string;
  readonly marker: string;
  /** `acknowledged`, `unanswered`, `refused`, or what was answered instead. */
  readonly outcome: string;
  readonly sentAt: number;
  readonly answeredAt: number;
}

export interface LoadTarget {
  readonly url: string;
  readonly token: string;
  readonly hookId: string;
  readonly channelId: string;
  readonly rootId: string;
}

/** Posts until the server is gone or `stop` is called. */
export class Load {
  constructor(options: { target: LoadTarget; prefix: string; connections: number; isPatient?: boolean });
  readonly sent: readonly Sent[];
  readonly acknowledgedCount: number;
  readonly acknowledged: readonly Sent[];
  readonly unanswered: readonly Sent[];
  /** Every answer of 503. */
  readonly refused: readonly {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly text: string;
  }[];
  stop(): Promise<void>;
}
