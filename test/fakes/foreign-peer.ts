import { randomBytes } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkAnswer } from '../support/answer-check.mjs';
import { learnSecret } from '../support/secrets.mjs';
import { type InviteVersion, openInvite, sealInvite } from '../support/invites.js';

export type PeerCall = 'ping' | 'msg' | 'confirm_invite';

/** A request that the peer has received. */
export interface PeerRequest {
  readonly call: PeerCall | '';
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The parsed body if it is JSON. */
  readonly frame: any;
  readonly at: number;
  /** The status of the answer; 0 until it is sent. */
  status: number;
}

export interface PeerAnswer {
  readonly status: number;
  readonly body: any;
  readonly text: string;
}

/** The answer to a call of the peer. */
export interface SentFrame extends PeerAnswer {
  readonly call: PeerCall;
  readonly token: string;
}

/** The peer's own record of a connection. */
export interface PeerConnection {
  readonly remoteId: string;
  /** The address of the other server; empty until it has confirmed. */
  siteUrl: string;
  /** The token that the other server must send. */
  token: string;
  /** The token that the peer sends. */
  remoteToken: string;
  /** The token of the invite, valid until the confirmation. */
  readonly inviteToken: string;
  isDeleted: boolean;
}

export interface PeerInvite {
  readonly connection: PeerConnection;
  readonly invite: string;
  readonly password: string;
}

/** Answers a call in place of the peer. `properly` answers it as the peer should. */
export type Misbehaviour = (
  request: PeerRequest,
  response: ServerResponse,
  properly: () => Promise<void>,
) => void | Promise<void>;

const API = '/api/v4/remotecluster/';
const ALPHABET = 'ybndrfg8ejkmcpqxot1uwisza345h769';
const isId = (value: unknown): boolean => typeof value === 'string' && /^[A-Za-z0-9]{26}$/.test(value);
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

export const peerId = (): string => [...randomBytes(26)].map((byte) => ALPHABET[byte % 32]).join('');

/** One password for all invites, because deriving a key takes half a second. */
const PASSWORD = peerId();

/** A frame in its wire format. */
export const frameOf = (remoteId: string, topic: string, payload: unknown): any => ({
  remote_id: remoteId,
  msg: { id: peerId(), topic, create_at: Date.now(), payload },
});

/**
 * Another server with secure connections, written from docs/contract/secure-connections.md without this server's code.
 * It invites, accepts, pings and sends messages, checks what it receives, and misbehaves on request.
 */
export class ForeignPeer {
  readonly requests: PeerRequest[] = [];
  readonly sent: SentFrame[] = [];
  readonly connections = new Map<string, PeerConnection>();
  /** Tokens, passwords and invites that must not leak. */
  readonly secrets = new Set<string>();
  /** Number of TCP connections to the peer so far. */
  sockets = 0;
  private readonly behaviours = new Map<PeerCall, Misbehaviour>();

  private constructor(
    private readonly server: Server,
    private readonly host: string,
    /** The path of the peer on its host. */
    private readonly basePath: string,
  ) {}

  static async start({ host = '127.0.0.1', port = 0, basePath = '' } = {}): Promise<ForeignPeer> {
    const server = createServer((request, response) => void peer.take(request, response));
    const peer = new ForeignPeer(server, host, basePath);
    server.on('connection', () => (peer.sockets += 1));
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    return peer;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get siteUrl(): string {
    return `http://${this.host}:${this.port}${this.basePath}`;
  }

  requestsTo(call: PeerCall, remoteId?: string): PeerRequest[] {
    return this.requests.filter(
      (request) =>
        request.call === call &&
        (remoteId === undefined || request.headers['x-remotecluster-id'] === remoteId),
    );
  }

  /** Sets how the peer answers a call. Without `behaviour` it answers properly again. */
  misbehave(call: PeerCall, behaviour?: Misbehaviour): void {
    if (behaviour) this.behaviours.set(call, behaviour);
    else this.behaviours.delete(call);
  }

  /** As the inviter: creates a pending connection and its invite. `change` replaces keys of the plaintext. */
  invite(version: InviteVersion = 3, change: Record<string, unknown> = {}): PeerInvite {
    const password = PASSWORD;
    const token = peerId();
    const connection = this.keep({ remoteId: peerId(), siteUrl: '', token, remoteToken: '' });
    const plaintext = {
      remote_id: connection.remoteId,
      remote_team_id: '',
      site_url: this.siteUrl,
      token,
      version,
      ...change,
    };
    const invite = sealInvite(plaintext, password, version);
    this.remember(password, invite);
    return { connection, invite, password };
  }

  /** As the acceptor: opens and stores an invite without calling the inviter. */
  open(invite: string, password: string): PeerConnection {
    const { plaintext } = openInvite(invite, password);
    const { remote_id: remoteId, site_url: siteUrl, token } = plaintext as Record<string, string>;
    const [own, refreshed] = [peerId(), peerId()];
    this.remember(invite, password, token!);
    return this.keep({ remoteId: remoteId!, siteUrl: siteUrl!, token: own, remoteToken: refreshed }, token);
  }

  /** As the acceptor: confirms the invite. `change` replaces keys of the payload; undefined removes one. */
  confirm(connection: PeerConnection, change: Record<string, unknown> = {}): Promise<PeerAnswer> {
    const { remoteId, token, remoteToken, inviteToken } = connection;
    const payload = {
      remote_id: remoteId,
      remote_team_id: '',
      site_url: this.siteUrl,
      token,
      refreshed_token: remoteToken,
      version: 3,
      ...change,
    };
    return this.send(connection, 'confirm_invite', frameOf(remoteId, 'invitation', payload), inviteToken);
  }

  /** As the acceptor: opens the invite, confirms, and pings at once. A `stale` ping uses the token of the invite. */
  async accept(invite: string, password: string, firstPing?: 'stale'): Promise<PeerConnection> {
    const connection = this.open(invite, password);
    const answer = await this.confirm(connection);
    if (answer.status !== 200 || answer.body?.status !== 'OK')
      throw new Error(`The invite was not confirmed: ${answer.status} ${answer.text}`);
    await this.ping(connection, undefined, firstPing && connection.inviteToken);
    return connection;
  }

  ping(connection: PeerConnection, payload?: unknown, token?: string): Promise<PeerAnswer> {
    const given = payload === undefined ? { sent_at: Date.now(), recv_at: 0 } : payload;
    return this.send(connection, 'ping', frameOf(connection.remoteId, 'ping', given), token);
  }

  message(connection: PeerConnection, topic: string, payload: unknown): Promise<PeerAnswer> {
    return this.send(connection, 'msg', frameOf(connection.remoteId, topic, payload));
  }

  /** Sends any frame with the headers of a connection. */
  async send(
    connection: PeerConnection,
    call: PeerCall,
    frame: unknown,
    token = connection.remoteToken,
  ): Promise<PeerAnswer> {
    const answer = await post(`${connection.siteUrl}${API}${call}`, JSON.stringify(frame), {
      'x-remotecluster-id': connection.remoteId,
      'x-remotecluster-token': token,
    });
    this.sent.push({ ...answer, call, token });
    return answer;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private keep(
    fields: Pick<PeerConnection, 'remoteId' | 'siteUrl' | 'token' | 'remoteToken'>,
    inviteToken = fields.token,
  ): PeerConnection {
    const connection = { ...fields, inviteToken, isDeleted: false };
    this.connections.set(connection.remoteId, connection);
    this.remember(fields.token, fields.remoteToken);
    return connection;
  }

  private remember(...secrets: string[]): void {
    for (const secret of secrets) {
      if (secret !== '') this.secrets.add(secret);
      learnSecret('secret of a peer', secret);
    }
  }

  private async take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const path = incoming.url ?? '';
    const prefix = `${this.basePath}${API}`;
    const call = path.startsWith(prefix) ? path.slice(prefix.length) : '';
    const request: PeerRequest = {
      call: (['ping', 'msg', 'confirm_invite'].includes(call) ? call : '') as PeerCall | '',
      method: incoming.method ?? '',
      path,
      headers: incoming.headers,
      body,
      frame: parse(body),
      at: Date.now(),
      status: 0,
    };
    this.requests.push(request);
    response.on('finish', () => (request.status = response.statusCode));
    const properly = async (): Promise<void> => {
      const [status, answer] = await this.answer(request);
      reply(response, status, answer);
    };
    const behaviour = request.call === '' ? undefined : this.behaviours.get(request.call);
    await (behaviour ? behaviour(request, response, properly) : properly());
  }

  /** Checks the headers, then the frame, then answers the call. */
  private async answer({ call, method, headers, frame }: PeerRequest): Promise<[number, unknown]> {
    if (call === '' || method !== 'POST') return [404, failure('api.context.404.app_error')];
    const id = headers['x-remotecluster-id'];
    const token = headers['x-remotecluster-token'];
    if (headers.authorization || headers.cookie || !token)
      return [401, failure('api.context.session_expired.app_error')];
    if (!id) return [401, failure('api.context.remote_id_missing.app_error')];
    const connection = this.connections.get(String(id));
    if (!connection || connection.isDeleted || connection.token !== token)
      return [401, failure('api.context.invalid_token.error')];
    const error = frameErrorOf(frame, connection.remoteId);
    if (error) return [400, failure(error)];
    const { topic, payload } = frame.msg;
    if (call === 'confirm_invite') return this.takeConfirmation(connection, payload);
    if (call === 'ping') {
      if (!Number.isSafeInteger(payload?.sent_at))
        return [400, failure('api.context.invalid_body_param.app_error')];
      return [200, { sent_at: payload.sent_at, recv_at: Date.now() }];
    }
    return [200, { status: 'OK', err: '', payload: null, topic }];
  }

  /** Pings the acceptor before it answers, as the background ping of a fast inviter may do. */
  private async takeConfirmation(connection: PeerConnection, payload: any): Promise<[number, unknown]> {
    if (!isObject(payload)) return [400, failure('api.context.invalid_body_param.app_error')];
    if (payload.remote_id !== connection.remoteId)
      return [400, failure('api.context.remote_id_invalid.app_error')];
    const { site_url: siteUrl, token, refreshed_token: refreshed } = payload;
    if (connection.siteUrl !== '' || refreshed === connection.token || !isId(refreshed) || !isId(token))
      return [500, failure('api.command_remote.confirm_invitation.error')];
    this.remember(token, refreshed);
    Object.assign(connection, { siteUrl, remoteToken: token, token: refreshed });
    await this.ping(connection);
    return [200, { status: 'OK' }];
  }
}

/** The error id for a frame, checked in the order of the contract, or undefined. */
function frameErrorOf(frame: any, remoteId: string): string | undefined {
  if (!isObject(frame)) return 'api.unmarshal_error';
  if (!isId(frame.remote_id) || !isId(frame.msg?.id)) return 'api.remote_cluster.invalid_id.app_error';
  if (typeof frame.msg.topic !== 'string' || frame.msg.topic === '')
    return 'api.remote_cluster.invalid_topic.app_error';
  if (frame.msg.payload === undefined) return 'api.context.invalid_body_param.app_error';
  return frame.remote_id === remoteId ? undefined : 'api.context.remote_id_invalid.app_error';
}

const failure = (id: string): object => ({
  id,
  message: 'Refused.',
  detailed_error: '',
  request_id: peerId(),
});

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Sends a POST to the server under test, without cookies, keep-alive or other headers. */
export function post(
  url: string,
  body: string | Buffer,
  headers: Record<string, string>,
): Promise<PeerAnswer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      url,
      {
        method: 'POST',
        agent: false,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const { statusCode: status = 0, headers } = response;
          checkAnswer({ status, headers, text }, 'POST', new URL(url).pathname);
          resolve({ status, text, body: parse(text) });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Answers with this status and text. */
export const answers =
  (status: number, text = '', type = 'application/json'): Misbehaviour =>
  (_, response) => {
    response.writeHead(status, { 'content-type': type });
    response.end(text);
  };

/** Applies a behaviour once, then answers properly. */
export const once = (behaviour: Misbehaviour): Misbehaviour => {
  let isOver = false;
  return async (request, response, properly) => {
    if (isOver) return properly();
    isOver = true;
    await behaviour(request, response, properly);
  };
};

/** Redirects to the same path on another server. */
export const redirects =
  (to: string, status: number): Misbehaviour =>
  ({ path }, response) => {
    response.writeHead(status, { location: `${to}${path}` });
    response.end();
  };

/** Never answers. */
export const hangs: Misbehaviour = () => undefined;

/** Sends a blank every 500 ms without end. */
export const drips: Misbehaviour = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 500);
  response.on('close', () => clearInterval(timer));
};

/** Sends a good answer padded with blanks to `bytes` bytes. */
export const pads =
  (text: string, bytes: number): Misbehaviour =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes });
    response.end(text.padEnd(bytes));
  };

/** Sends a good answer followed by endless blanks. `taken` resolves to the bytes the caller accepted before it hung up. */
export function floods(text: string): { readonly behaviour: Misbehaviour; taken: () => Promise<number> } {
  let ended: (bytes: number) => void;
  const total = new Promise<number>((resolve) => (ended = resolve));
  const piece = Buffer.alloc(64 * 1024, ' ');
  return {
    taken: () => total,
    behaviour: (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(text);
      const { socket } = response;
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', more);
      response.on('close', () => ended(socket?.bytesWritten ?? 0));
      more();
    },
  };
}
