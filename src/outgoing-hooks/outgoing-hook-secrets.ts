import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newId } from '../platform/common/ids.js';
import { SecretBox, SecretUnreadable } from '../platform/secrets/secret-box.js';
import type { OutgoingHook } from './outgoing-hook.entity.js';

const SIGNING_BYTES = 24;
/** What is replaced more often than that within SIGNING_OVERLAP signs no longer; their column has no room for more. */
const MAX_PREVIOUS = 4;

type Sealed = Pick<
  OutgoingHook,
  'sealedToken' | 'sealedSigningSecret' | 'sealedPreviousSecret' | 'previousSigningUntil'
>;

/** The secrets of a hook, readable. */
export interface HookSecrets {
  readonly token: string;
  readonly signingSecret: string;
  /** The replaced ones, the last one first. */
  readonly previousSecrets: readonly PreviousSecret[];
}

/** Signs as well until then, in milliseconds since the epoch. */
interface PreviousSecret {
  readonly secret: string;
  readonly until: number;
}

/** Makes and opens the secrets of outgoing webhooks. */
@Injectable()
export class OutgoingHookSecrets {
  /** Opening takes a while; records do not change, they are replaced. */
  private readonly opened = new WeakMap<OutgoingHook, HookSecrets>();

  constructor(private readonly box: SecretBox) {}

  /** New ones; the signing secret in the form of Standard Webhooks 1.0.0. */
  create(): Sealed {
    return {
      sealedToken: this.box.seal(newId()),
      sealedSigningSecret: this.box.seal(`whsec_${randomBytes(SIGNING_BYTES).toString('base64')}`),
      sealedPreviousSecret: '',
      previousSigningUntil: 0,
    };
  }

  /**
   * New ones in place of those of `hook`, whose signing secret goes on signing for a while; so do those that it replaced
   * itself, each until its own end. What nobody can open any more cannot sign either.
   */
  replace(hook: OutgoingHook, now: number, overlapMs: number): Sealed {
    const secrets = overlapMs === 0 ? undefined : this.openReadable(hook);
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

  /** Throws SecretUnreadable. */
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

  private openReadable(hook: OutgoingHook): HookSecrets | undefined {
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
    // A single one was stored as it is.
    return text.startsWith('[')
      ? (JSON.parse(text) as PreviousSecret[])
      : [{ secret: text, until: previousSigningUntil }];
  }
}
