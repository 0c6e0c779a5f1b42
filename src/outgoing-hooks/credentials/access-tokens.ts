import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Authorization } from '../../delivery/dispatch/delivery-kind.js';
import { OutboundClient, type OutboundReply } from '../../delivery/outbound/outbound-client.js';
import { OutboundFailure } from '../../delivery/outbound/outbound-failure.js';
import { OutboundSettings } from '../../delivery/outbound/outbound.settings.js';
import { Clock } from '../../platform/common/clock.js';
import { isJsonObject, type JsonObject } from '../../platform/common/json.js';
import type { OAuth2Auth } from './hook-auth.js';

/** What a token is requested with. */
export interface Grant {
  /** Differs for each webhook and each change of its authentication. */
  readonly key: string;
  readonly auth: OAuth2Auth;
  readonly secret: string;
}

/** The result of a token request. */
interface Result {
  readonly outcome: Authorization | OutboundFailure;
  readonly requestedAt: number;
  readonly usableUntil: number;
}

const MAX_TOKENS = 2_000;
const MAX_TIMEOUT_MS = 10_000;
const MAX_REPLY_BYTES = 64 * 1024;
const TOKEN = /^[\x21-\x7e]{1,8192}$/;
/** Values of `error` (RFC 6749 section 5.2). */
const ERROR_CODE = /^[\x20\x21\x23-\x5b\x5d-\x7e]{1,64}$/;
/** Tokens are renewed this long before they expire, or after half of a shorter lifetime. */
const MARGIN_MS = 60_000;
/** For tokens whose lifetime is unknown. A refused token is renewed at once, whatever its lifetime. */
const DEFAULT_LIFETIME_S = 300;
const MAX_LIFETIME_S = 86_400;
/** A failure is remembered, and a token not replaced because of a 401, for this long. */
const PAUSE_MS = 5_000;

/**
 * Access tokens from OAuth 2 token endpoints. Each process keeps its own in memory: requesting a lost token again takes
 * one request, while keeping tokens in the database would take a write and a lock for each. As an endpoint is called by
 * one process at a time, processes rarely request a token for the same webhook at once.
 */
@Injectable()
export class AccessTokens {
  private readonly results = new LRUCache<string, Result, Grant>({
    max: MAX_TOKENS,
    fetchMethod: (_key, _stale, { context }) => this.request(context), // concurrent calls share one
    ignoreFetchAbort: true,
  });

  constructor(
    private readonly client: OutboundClient,
    private readonly clock: Clock,
    private readonly settings: OutboundSettings,
  ) {}

  /** The header with a valid token, other than `refused` unless that is new. Throws OutboundFailure `token`. */
  async get(grant: Grant, refused?: Authorization): Promise<Authorization> {
    const known = this.results.peek(grant.key);
    if (known && this.isOver(known, refused)) this.results.delete(grant.key);
    const { outcome } = await this.results.forceFetch(grant.key, { context: grant });
    if (outcome instanceof OutboundFailure) throw outcome;
    return outcome;
  }

  private isOver({ outcome, requestedAt, usableUntil }: Result, refused?: Authorization): boolean {
    const now = this.clock.now();
    return usableUntil <= now || (outcome === refused && requestedAt + PAUSE_MS <= now);
  }

  private async request(grant: Grant): Promise<Result> {
    try {
      return await this.requestToken(grant);
    } catch (error) {
      if (!(error instanceof OutboundFailure) || error.errorClass === 'aborted') throw error;
      const failedAt = this.clock.now();
      return { outcome: error, requestedAt: failedAt, usableUntil: failedAt + PAUSE_MS };
    }
  }

  private async requestToken({ auth, secret }: Grant): Promise<Result> {
    const requestedAt = this.clock.now();
    const { type, token, lifetimeS } = tokenIn(auth, secret, await this.send(auth, secret));
    if (type.toLowerCase() !== 'bearer') throw failure(auth, 'issued a token that is not a bearer token');
    const lifetimeMs = Math.min(lifetimeS, MAX_LIFETIME_S) * 1_000;
    return {
      outcome: { headers: { authorization: `Bearer ${token}` }, secrets: [token] },
      requestedAt,
      usableUntil: requestedAt + lifetimeMs - Math.min(MARGIN_MS, lifetimeMs / 2),
    };
  }

  private async send(auth: OAuth2Auth, secret: string): Promise<OutboundReply> {
    const { client_id: id, scope, audience } = auth;
    const isInBody = auth.token_endpoint_auth_method === 'client_secret_post';
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      ...(scope !== '' && { scope }),
      ...(audience !== '' && { audience }),
      ...(isInBody && { client_id: id, client_secret: secret }),
    });
    try {
      return await this.client.send({
        method: 'POST',
        url: auth.token_url,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
          ...(!isInBody && { authorization: basicAuthorization(formEncoded(id), formEncoded(secret)) }),
        },
        body: form.toString(),
        timeoutMs: Math.min(this.settings.outgoingTimeoutMs, MAX_TIMEOUT_MS),
        maxReplyBytes: MAX_REPLY_BYTES,
      });
    } catch (error) {
      if (!(error instanceof OutboundFailure) || error.errorClass === 'aborted') throw error;
      throw failure(auth, `could not be called. ${error.message}`);
    }
  }
}

/** The value of `Authorization` for HTTP Basic (RFC 7617). */
export function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** As RFC 6749 section 2.3.1 requires for HTTP Basic. */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

function tokenIn(
  auth: OAuth2Auth,
  secret: string,
  { status, body }: OutboundReply,
): { readonly type: string; readonly token: string; readonly lifetimeS: number } {
  const content = jsonObject(body);
  if (status < 200 || status > 299) {
    const { error } = content;
    const isShown = typeof error === 'string' && ERROR_CODE.test(error) && !error.includes(secret);
    throw failure(auth, `answered ${status}${isShown ? ` (${error})` : ''}`);
  }
  const { access_token: token, token_type: type = 'Bearer', expires_in: expiresIn } = content;
  if (typeof token !== 'string' || !TOKEN.test(token) || typeof type !== 'string')
    throw failure(auth, 'answered without a valid access_token');
  const lifetimeS = Number(expiresIn); // some servers send it as text
  return { type, token, lifetimeS: lifetimeS > 0 ? lifetimeS : DEFAULT_LIFETIME_S };
}

function jsonObject(body: Buffer): JsonObject {
  try {
    const content: unknown = JSON.parse(body.toString('utf8'));
    return isJsonObject(content) ? content : {};
  } catch {
    return {};
  }
}

/** Names the endpoint by its origin: paths may contain keys. */
function failure({ token_url: url }: OAuth2Auth, what: string): OutboundFailure {
  return new OutboundFailure(
    'token',
    `The token endpoint ${new URL(url).origin} ${what}.`.replace(/\.\.$/, '.'),
  );
}
