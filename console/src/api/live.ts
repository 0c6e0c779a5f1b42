import type { QueryClient } from '@tanstack/react-query';
import { readAgain } from './read-again';

/** An event of the stream, with its fields as the contract names them. */
export interface LiveEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly broadcast: { readonly channel_id: string };
}

/** `connecting` only until it is known whether the server answers. */
type LiveState = 'connecting' | 'connected' | 'lost';

type Listener = (event: LiveEvent) => void;

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** A network may be gone without a word: after so long a silence the server is asked whether it is there. */
const PING_AFTER_MS = 25_000;
const ANSWERS_WITHIN_MS = 10_000;

/** The connection to the stream of events. It comes back by itself; what was missed meanwhile is read again. */
export class LiveStream {
  state: LiveState = 'connecting';
  private socket: WebSocket | undefined;
  private waitMs = FIRST_WAIT_MS;
  /** When it connects again, and when it asks whether the server is there or takes it for lost. */
  private retry: ReturnType<typeof setTimeout> | undefined;
  private pulse: ReturnType<typeof setTimeout> | undefined;
  private isStopped = true;
  private wasConnected = false;
  private seq = 0;
  /** What is asked for at each connection. */
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

  /** Connects anew, at once, as who is signed in now. */
  restart(): void {
    this.stop();
    this.start();
  }

  /** Returns what ends the listening. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Subscribes to a topic, at each connection anew. Returns what ends that. */
  subscribe(topic: string): () => void {
    this.wishes.add(topic);
    this.send(`subscribe_${topic}`);
    return () => {
      this.wishes.delete(topic);
      this.send(`unsubscribe_${topic}`);
    };
  }

  /** Calls back when the state changes. */
  readonly watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  /** Without a network a socket takes a minute to close: nobody waits for that. */
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
