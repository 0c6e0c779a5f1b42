import { type ClientOptions, WebSocket } from 'ws';
import { eventually } from './test-server.js';

export interface EventFrame {
  readonly event: string;
  readonly data: Record<string, any>;
  readonly broadcast: Record<string, any>;
  readonly seq: number;
}

export interface ReplyFrame {
  readonly status: string;
  readonly seq_reply?: number;
  readonly data?: Record<string, any>;
  readonly error?: { readonly id: string; readonly status_code: number };
}

/** A client of the event stream that records all events. */
export class LiveClient {
  readonly events: EventFrame[] = [];
  readonly replies: ReplyFrame[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  private seq = 0;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString('utf8')) as EventFrame | ReplyFrame;
      if ('event' in frame) this.events.push(frame);
      else this.replies.push(frame);
    });
    socket.on('close', (code, reason) => (this.closed = { code, reason: reason.toString() }));
    socket.on('error', () => undefined);
  }

  /** Opens a socket without credentials, unless the headers contain some. */
  static async open(url: string, query = '', options: ClientOptions = {}): Promise<LiveClient> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/v4/websocket${query}`, options);
    const client = new LiveClient(socket);
    await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return client;
  }

  /** Opens a socket with credentials in the upgrade request. Waits for `hello` unless it resumes. */
  static async connect(url: string, token: string, query = ''): Promise<LiveClient> {
    const client = await LiveClient.open(url, query, { headers: { authorization: `Bearer ${token}` } });
    if (query === '') await client.event('hello');
    return client;
  }

  /** Sends a request and returns the reply. */
  async ask(action: string, data?: Record<string, unknown>): Promise<ReplyFrame> {
    const seq = ++this.seq;
    this.socket.send(JSON.stringify({ seq, action, ...(data ? { data } : {}) }));
    return eventually(() => this.replies.find((reply) => reply.seq_reply === seq));
  }

  /** Waits for the first matching event of this name. */
  event(name: string, matches: (frame: EventFrame) => boolean = () => true): Promise<EventFrame> {
    return eventually(() => this.events.find((frame) => frame.event === name && matches(frame)));
  }

  named(name: string): EventFrame[] {
    return this.events.filter((frame) => frame.event === name);
  }

  /** Waits until the socket is closed. */
  end(): Promise<{ readonly code: number; readonly reason: string }> {
    return eventually(() => this.closed);
  }

  get connectionId(): string {
    return String(this.events[0]?.data['connection_id']);
  }

  /** The expected number of the next event. */
  get expectedSeq(): number {
    return (this.events.at(-1)?.seq ?? -1) + 1;
  }

  close(): void {
    this.socket.terminate();
  }
}
