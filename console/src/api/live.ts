import type { QueryClient } from '@tanstack/react-query';
import { readAgain } from './read-again';

/** An event of the stream, with field names as in the API contract. */
export interface LiveEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly broadcast: { readonly channel_id: string };
}

/** `connecting` only until the first connection attempt succeeds or fails. */
type LiveState = 'connecting' | 'connected' | 'lost';

type Listener = (event: LiveEvent) => void;

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** A network can fail silently: after this long without traffic, ping the server. */
const PING_AFTER_MS = 25_000;
const ANSWERS_WITHIN_MS = 10_000;

/** Connection to the event stream. Reconnects by itself; missed data is then read again. */
export class LiveStream {
  state: LiveState = 'connecting';
  private socket: WebSocket | undefined;
  private waitMs = FIRST_WAIT_MS;
  /** Timers for the next reconnect, and for the next ping or its timeout. */
  private retry: ReturnType<typeof setTimeout> | undefined;
  private pulse: ReturnType<typeof setTimeout> | undefined;
  private isStopped = true;
  private wasConnected = false;
  private seq = 0;
  /** Subscriptions to send on each connection. */
  private readonly wishes = new Set<string>();
  private readonly listeners = new Set<Listener>();
  private readonly watchers = new Set<() => void>();

  constructor(private readonly queries: QueryClient) {}

  start(): void {
    if (!this.isStopped) return;
    this.isStopped = false;
    window.addEventListener('offline', this.lose);
    window.addEventListener('online', this.tryNow);
    this.connect();
  }

  stop(): void {
    this.isStopped = true;
    window.removeEventListener('offline', this.lose);
    window.removeEventListener('online', this.tryNow);
    clearTimeout(this.retry);
    this.lose();
    this.become('connecting');
  }

  /** Reconnects immediately as the current user. */
  restart(): void {
    this.stop();
    this.start();
  }

  /** Returns a function that removes the listener. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Subscribes to a topic, again after each reconnect. Returns a function that unsubscribes. */
  subscribe(topic: string): () => void {
    this.wishes.add(topic);
    this.send(`subscribe_${topic}`);
    return () => {
      this.wishes.delete(topic);
      this.send(`unsubscribe_${topic}`);
    };
  }

  /** Calls `watcher` when the state changes. */
  readonly watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  /** Without a network a socket takes a minute to close; do not wait for that. */
  private readonly lose = (): void => {
    const { socket } = this;
    if (!socket) return;
    this.ended(socket);
    socket.close();
  };

  private readonly tryNow = (): void => {
    if (this.state !== 'connected') this.connect();
  };

  private connect(): void {
    clearTimeout(this.retry);
    const url = new URL('api/v4/websocket', document.baseURI);
    url.protocol = url.protocol.replace('http', 'ws');
    const former = this.socket;
    const socket = new WebSocket(url);
    this.socket = socket;
    former?.close();
    this.awaitAnswer();
    socket.onmessage = ({ data }) => this.socket === socket && this.hear(String(data));
    socket.onclose = () => this.ended(socket);
  }

  private ended(socket: WebSocket): void {
    if (this.socket !== socket) return;
    this.socket = undefined;
    clearTimeout(this.pulse);
    if (this.isStopped) return;
    this.become('lost');
    this.retry = setTimeout(() => this.connect(), this.waitMs);
    this.waitMs = Math.min(2 * this.waitMs, LONGEST_WAIT_MS);
  }

  private awaitAnswer(): void {
    clearTimeout(this.pulse);
    this.pulse = setTimeout(this.lose, ANSWERS_WITHIN_MS);
  }

  private hear(text: string): void {
    clearTimeout(this.pulse);
    this.pulse = setTimeout(() => this.ping(), PING_AFTER_MS);
    const message = JSON.parse(text) as Partial<LiveEvent>;
    if (message.event === 'hello') this.greeted();
    else if (message.event !== undefined)
      for (const listener of this.listeners) listener(message as LiveEvent);
  }

  private ping(): void {
    this.send('ping');
    this.awaitAnswer();
  }

  private send(action: string): void {
    if (this.state === 'connected') this.socket?.send(JSON.stringify({ seq: ++this.seq, action, data: {} }));
  }

  private greeted(): void {
    this.waitMs = FIRST_WAIT_MS;
    this.become('connected');
    for (const topic of this.wishes) this.send(`subscribe_${topic}`);
    if (this.wasConnected) void readAgain(this.queries);
    this.wasConnected = true;
  }

  private become(state: LiveState): void {
    if (this.state === state) return;
    this.state = state;
    for (const watcher of this.watchers) watcher();
  }
}
