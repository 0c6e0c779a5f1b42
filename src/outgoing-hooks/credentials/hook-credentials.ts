import { Injectable } from '@nestjs/common';
import type { Call } from '../../delivery/dispatch/delivery-kind.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { sealedPlaces } from '../../platform/database/sealed-columns.js';
import { SecretBox, SecretUnreadable } from '../../platform/secrets/secret-box.js';
import { OutgoingHook } from '../outgoing-hook.entity.js';
import { AccessTokens, basicAuthorization } from './access-tokens.js';
import { canKeepSecret, readAuth, secretMissing } from './hook-auth.js';
import { type FullHeader, readHeaders, withoutSecrets } from './hook-headers.js';

type Stored = Pick<OutgoingHook, 'headers' | 'sealedHeaders' | 'auth' | 'sealedAuth'>;

/** `headers` and `auth` of a body: undefined keeps what is stored, null removes it. */
export interface GivenCredentials {
  readonly headers?: readonly unknown[] | null | undefined;
  readonly auth?: object | null | undefined;
}

/** What the headers and the authentication of a webhook add to its calls. */
export interface CallCredentials extends Pick<Call, 'secrets' | 'authorize'> {
  readonly headers: Readonly<Record<string, string>>;
  /** The same headers without secrets, to show them. */
  readonly shownHeaders: Readonly<Record<string, string>>;
}

export const NO_CREDENTIALS: Stored = { headers: null, sealedHeaders: '', auth: null, sealedAuth: '' };

const PLACES = {
  headers: sealedPlaces(OutgoingHook, 'sealedHeaders'),
  auth: sealedPlaces(OutgoingHook, 'sealedAuth'),
};
const HIDDEN = '[redacted]';
const AUTHORIZATION = 'authorization';
const NOTHING: CallCredentials = { headers: {}, shownHeaders: {}, secrets: [] };

/** Headers and authentication of outgoing webhooks (docs/contract/outgoing-webhooks.md#authentication). */
@Injectable()
export class HookCredentials {
  /** Decryption is slow. Cached by record, since records are never modified in place. */
  private readonly opened = new WeakMap<OutgoingHook, CallCredentials>();

  constructor(
    private readonly box: SecretBox,
    private readonly tokens: AccessTokens,
  ) {}

  /**
   * The columns that a body changes. Stored secrets are never sent to hosts that the webhook has not called before, so
   * a request that adds a URL at such a host must contain the secrets again. Throws InvalidBodyParam.
   */
  changeOf(
    hook: OutgoingHook,
    { headers, auth }: GivenCredentials,
    callbackUrls = hook.callbackUrls,
  ): Partial<Stored> {
    const known = new Set(hook.callbackUrls.map(originOf));
    const isMoved = !callbackUrls.every((url) => known.has(originOf(url)));
    const change = {
      ...this.headerChange(hook, headers === undefined && isMoved ? hook.headers : headers, isMoved),
      ...this.authChange(hook, auth === undefined && isMoved ? hook.auth : auth, isMoved),
    };
    const changed = { ...hook, ...change };
    const index = changed.headers?.findIndex(({ name }) => name.toLowerCase() === AUTHORIZATION) ?? -1;
    if (changed.auth && index >= 0)
      throw new InvalidBodyParam(`headers[${index}].name`, 'auth sets this header; send only one of them');
    return change;
  }

  /** Throws SecretUnreadable. */
  open(hook: OutgoingHook): CallCredentials {
    if (hook.headers === null && hook.auth === null) return NOTHING;
    let credentials = this.opened.get(hook);
    if (!credentials) this.opened.set(hook, (credentials = this.credentialsOf(hook)));
    return credentials;
  }

  areReadable(hook: OutgoingHook): boolean {
    return this.ifReadable(() => this.open(hook)) !== undefined;
  }

  private headerChange(
    hook: OutgoingHook,
    given: readonly unknown[] | null | undefined,
    isMoved: boolean,
  ): Partial<Stored> {
    if (given === undefined) return {};
    const full = isMoved ? undefined : this.ifReadable(() => this.headersOf(hook));
    const headers = readHeaders(given ?? [], full ?? hook.headers ?? []);
    const secrets = headers.filter(({ secret }) => secret).map(({ name, value }) => [name, value]);
    return {
      headers: headers.length === 0 ? null : withoutSecrets(headers),
      sealedHeaders:
        secrets.length === 0 ? '' : this.box.seal(JSON.stringify(secrets), PLACES.headers(hook.id)),
    };
  }

  private authChange(
    hook: OutgoingHook,
    given: object | null | undefined,
    isMoved: boolean,
  ): Partial<Stored> {
    if (given === undefined) return {};
    if (given === null) return { auth: null, sealedAuth: '' };
    const { auth, secret: sent } = readAuth(given);
    const canKeep = !isMoved && hook.auth !== null && canKeepSecret(hook.auth, auth);
    const secret = sent ?? (canKeep ? this.ifReadable(() => this.secretOf(hook)) : undefined);
    if (secret === undefined) throw secretMissing(auth);
    return { auth, sealedAuth: this.box.seal(secret, PLACES.auth(hook.id)) };
  }

  private credentialsOf(hook: OutgoingHook): CallCredentials {
    const headers = this.headersOf(hook);
    const { auth } = hook;
    const own = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
    const shown = headers.map(({ name, secret, value }) => [name, secret ? HIDDEN : value]);
    const shownHeaders = Object.fromEntries(shown) as Record<string, string>;
    const secrets = headers.filter(({ secret }) => secret).map(({ value }) => value);
    if (!auth) return { headers: own, shownHeaders, secrets };
    const secret = this.secretOf(hook);
    const all = [...secrets, secret];
    switch (auth.type) {
      case 'basic': {
        const authorization = basicAuthorization(auth.username, secret);
        return {
          headers: { ...own, authorization },
          shownHeaders: { ...shownHeaders, authorization: `Basic ${HIDDEN}` },
          secrets: [...all, authorization.replace('Basic ', '')],
        };
      }
      case 'bearer':
        return {
          headers: { ...own, authorization: `Bearer ${secret}` },
          shownHeaders: { ...shownHeaders, authorization: `Bearer ${HIDDEN}` },
          secrets: all,
        };
      case 'oauth2':
        return {
          headers: own,
          shownHeaders: { ...shownHeaders, authorization: `Bearer ${HIDDEN}` },
          secrets: all,
          authorize: (refused) => this.tokens.get({ key: hook.sealedAuth, auth, secret }, refused),
        };
    }
  }

  private headersOf({ id, headers, sealedHeaders }: OutgoingHook): readonly FullHeader[] {
    const sealed = sealedHeaders === '' ? '[]' : this.box.open(sealedHeaders, PLACES.headers(id));
    const secrets = new Map(JSON.parse(sealed) as [string, string][]);
    return (headers ?? []).map((header) => ({
      ...header,
      value: header.value ?? secrets.get(header.name) ?? '',
    }));
  }

  private secretOf({ id, sealedAuth }: OutgoingHook): string {
    return this.box.open(sealedAuth, PLACES.auth(id));
  }

  /** Secrets that cannot be decrypted must be sent again. */
  private ifReadable<T>(open: () => T): T | undefined {
    try {
      return open();
    } catch (error) {
      if (error instanceof SecretUnreadable) return undefined;
      throw error;
    }
  }
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
