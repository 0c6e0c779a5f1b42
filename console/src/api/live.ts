import type { QueryClient } from '@tanstack/react-query';

/** An event of the stream, with its fields as the contract names them. */
export interface LiveEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly broadcast: { readonly channel_id: string };
}

type Listener = (event: LiveEvent) => void;

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** The connection to the stream of events. It comes back by itself; what was missed meanwhile is read again. */
export class LiveStream {
  isConnected = false;
  private socket: WebSocket | undefined;
  private waitMs = FIRST_WAIT_MS;
  private timer: ReturnType<typeof setTimeout> | undefined;
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
    clearTimeout(this.timer);
    this.socket?.close();
    this.setConnected(false);
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

  /** Calls back when the connection comes or goes. */
  readonly watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  /** Without a network a connection seems open for minutes. */
  private readonly lose = (): void => this.socket?.close();

  private readonly tryNow = (): void => {
    if (this.isConnected) return;
    clearTimeout(this.timer);
    this.connect();
  };

  private connect(): void {
    const url = new URL('api/v4/websocket', document.baseURI);
    url.protocol = url.protocol.replace('http', 'ws');
    const former = this.socket;
    const socket = new WebSocket(url);
    this.socket = socket;
    former?.close();
    socket.onmessage = ({ data }) => this.hear(String(data));
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.setConnected(false);
      if (this.isStopped) return;
      this.timer = setTimeout(() => this.connect(), this.waitMs);
      this.waitMs = Math.min(2 * this.waitMs, LONGEST_WAIT_MS);
    };
  }

  private hear(text: string): void {
    const message = JSON.parse(text) as Partial<LiveEvent>;
    if (message.event === 'hello') this.greeted();
    else if (message.event !== undefined)
      for (const listener of this.listeners) listener(message as LiveEvent);
  }

  private send(action: string): void {
    if (this.isConnected) this.socket?.send(JSON.stringify({ seq: ++this.seq, action, data: {} }));
  }

  private greeted(): void {
    this.waitMs = FIRST_WAIT_MS;
    this.setConnected(true);
    for (const topic of this.wishes) this.send(`subscribe_${topic}`);
    if (this.wasConnected) void this.queries.invalidateQueries();
    this.wasConnected = true;
  }

  private setConnected(isConnected: boolean): void {
    if (this.isConnected === isConnected) return;
    this.isConnected = isConnected;
    for (const watcher of this.watchers) watcher();
  }
}
