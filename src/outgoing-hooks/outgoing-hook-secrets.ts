import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newId } from '../common/ids.js';
import { SecretBox } from '../secrets/secret-box.js';
import type { OutgoingHook } from './outgoing-hook.entity.js';

const SIGNING_BYTES = 24;

type Sealed = Pick<
  OutgoingHook,
  'sealedToken' | 'sealedSigningSecret' | 'sealedPreviousSecret' | 'previousSigningUntil'
>;

/** The secrets of a hook, readable. */
export interface HookSecrets {
  readonly token: string;
  readonly signingSecret: string;
  /** Empty when there is none. */
  readonly previousSecret: string;
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

  /** New ones in place of those of `hook`, whose signing secret goes on signing for a while. */
  replace(hook: OutgoingHook, now: number, overlapMs: number): Sealed {
    if (overlapMs === 0) return this.create();
    return {
      ...this.create(),
      sealedPreviousSecret: hook.sealedSigningSecret,
      previousSigningUntil: now + overlapMs,
    };
  }

  /** Throws SecretUnreadable. */
  open(hook: OutgoingHook): HookSecrets {
    let secrets = this.opened.get(hook);
    if (!secrets) {
      const previous = hook.sealedPreviousSecret;
      secrets = {
        token: this.box.open(hook.sealedToken),
        signingSecret: this.box.open(hook.sealedSigningSecret),
        previousSecret: previous === '' ? '' : this.box.open(previous),
      };
      this.opened.set(hook, secrets);
    }
    return secrets;
  }
}
