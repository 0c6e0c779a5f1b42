import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newId } from '../platform/common/ids.js';
import { SecretBox, SecretUnreadable } from '../platform/secrets/secret-box.js';
import type { OutgoingHook } from './outgoing-hook.entity.js';

const SIGNING_BYTES = 24;
/** Older secrets stop signing even within SIGNING_OVERLAP, because the column has no room for more. */
const MAX_PREVIOUS = 4;

type Sealed = Pick<
  OutgoingHook,
  'sealedToken' | 'sealedSigningSecret' | 'sealedPreviousSecret' | 'previousSigningUntil'
>;

/** The decrypted secrets of a hook. */
export interface HookSecrets {
  readonly token: string;
  readonly signingSecret: string;
  /** Replaced signing secrets that may still sign, newest first. */
  readonly previousSecrets: readonly PreviousSecret[];
}

/** A replaced secret that still signs until a time, in milliseconds since the epoch. */
interface PreviousSecret {
  readonly secret: string;
  readonly until: number;
}

/** Generates and decrypts the secrets of outgoing webhooks. */
@Injectable()
export class OutgoingHookSecrets {
  /** Decryption is slow. Cached by record, since records are never modified in place. */
  private readonly opened = new WeakMap<OutgoingHook, HookSecrets>();

  constructor(private readonly box: SecretBox) {}

  /** Generates new secrets; the signing secret has the format of Standard Webhooks 1.0.0. */
  create(): Sealed {
    return {
      sealedToken: this.box.seal(newId()),
      sealedSigningSecret: this.box.seal(`whsec_${randomBytes(SIGNING_BYTES).toString('base64')}`),
      sealedPreviousSecret: '',
      previousSigningUntil: 0,
    };
  }

  /**
   * Generates new secrets for a hook. Its signing secret keeps signing for `overlapMs`, and earlier ones until their own
   * end. Secrets that cannot be decrypted are dropped.
   */
  replace(hook: OutgoingHook, now: number, overlapMs: number): Sealed {
    const secrets = overlapMs === 0 ? undefined : this.tryOpen(hook);
    if (!secrets) return this.create();
    const { signingSecret, previousSecrets } = secrets;
    const last = { secret: signingSecret, until: now + overlapMs };
    const previous = [last, ...previousSecrets.filter(({ until }) => until > now)].slice(0, MAX_PREVIOUS);
    return {
      ...this.create(),
      sealedPreviousSecret: this.box.seal(JSON.stringify(previous)),
      previousSigningUntil: Math.max(...previous.map(({ until }) => until)),
    };
  }

  /** Decrypts the secrets of a hook. Throws SecretUnreadable. */
  open(hook: OutgoingHook): HookSecrets {
    let secrets = this.opened.get(hook);
    if (!secrets) {
      secrets = {
        token: this.box.open(hook.sealedToken),
        signingSecret: this.box.open(hook.sealedSigningSecret),
        previousSecrets: this.previousOf(hook),
      };
      this.opened.set(hook, secrets);
    }
    return secrets;
  }

  private tryOpen(hook: OutgoingHook): HookSecrets | undefined {
    try {
      return this.open(hook);
    } catch (error) {
      if (error instanceof SecretUnreadable) return undefined;
      throw error;
    }
  }

  private previousOf({ sealedPreviousSecret: sealed, previousSigningUntil }: OutgoingHook): PreviousSecret[] {
    if (sealed === '') return [];
    const text = this.box.open(sealed);
    // Earlier versions stored a single secret as plain text.
    return text.startsWith('[')
      ? (JSON.parse(text) as PreviousSecret[])
      : [{ secret: text, until: previousSigningUntil }];
  }
}
