import { randomBytes } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { newId } from '../platform/common/ids.js';
import { sealedPlaces } from '../platform/database/sealed-columns.js';
import { SecretBox, SecretUnreadable } from '../platform/secrets/secret-box.js';
import { OutgoingHook } from './outgoing-hook.entity.js';

const SIGNING_BYTES = 24;
/** Older secrets stop signing even within SIGNING_OVERLAP, because the column has no room for more. */
const MAX_PREVIOUS = 4;
const PLACES = {
  token: sealedPlaces(OutgoingHook, 'sealedToken'),
  signingSecret: sealedPlaces(OutgoingHook, 'sealedSigningSecret'),
  previousSecret: sealedPlaces(OutgoingHook, 'sealedPreviousSecret'),
};

type Sealed = Pick<
  OutgoingHook,
  'sealedToken' | 'sealedSigningSecret' | 'sealedPreviousSecret' | 'previousSigningUntil'
>;

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

/** A new signing secret in the format of Standard Webhooks 1.0.0. */
export const newSigningSecret = (): string => `whsec_${randomBytes(SIGNING_BYTES).toString('base64')}`;

/** Generates and decrypts the secrets of outgoing webhooks. */
@Injectable()
export class OutgoingHookSecrets {
  private readonly logger = new Logger(OutgoingHookSecrets.name);
  /** Decryption is slow. Cached by record, since records are never modified in place. */
  private readonly opened = new WeakMap<OutgoingHook, HookSecrets>();

  constructor(private readonly box: SecretBox) {}

  /** Generates new secrets for the hook with this id. */
  create(id: string): Sealed {
    return {
      sealedToken: this.box.seal(newId(), PLACES.token(id)),
      sealedSigningSecret: this.box.seal(newSigningSecret(), PLACES.signingSecret(id)),
      sealedPreviousSecret: '',
      previousSigningUntil: 0,
    };
  }

  /** Generates new secrets. Signing secrets that can be decrypted keep signing for `overlapMs`, or until they expire. */
  replace(hook: OutgoingHook, now: number, overlapMs: number): Sealed {
    const secrets = overlapMs === 0 ? undefined : this.tryOpen(hook);
    if (!secrets) return this.create(hook.id);
    const { signingSecret, previousSecrets } = secrets;
    const last = { secret: signingSecret, until: now + overlapMs };
    const previous = [last, ...previousSecrets.filter(({ until }) => until > now)].slice(0, MAX_PREVIOUS);
    return {
      ...this.create(hook.id),
      sealedPreviousSecret: this.box.seal(JSON.stringify(previous), PLACES.previousSecret(hook.id)),
      previousSigningUntil: Math.max(...previous.map(({ until }) => until)),
    };
  }

  /** Decrypts the secrets of a hook. Throws SecretUnreadable. */
  open(hook: OutgoingHook): HookSecrets {
    let secrets = this.opened.get(hook);
    if (!secrets) {
      secrets = {
        token: this.box.open(hook.sealedToken, PLACES.token(hook.id)),
        signingSecret: this.box.open(hook.sealedSigningSecret, PLACES.signingSecret(hook.id)),
        previousSecrets: this.previousOf(hook),
      };
      this.opened.set(hook, secrets);
    }
    return secrets;
  }

  /** Like `open`, but returns undefined on any error, so that one damaged row does not break a whole list. */
  openForAnswer(hook: OutgoingHook): HookSecrets | undefined {
    try {
      return this.open(hook);
    } catch (error) {
      return this.reportUnreadable(hook, error);
    }
  }

  private tryOpen(hook: OutgoingHook): HookSecrets | undefined {
    try {
      return this.open(hook);
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      return this.reportUnreadable(hook, error);
    }
  }

  /** Logs only SecretUnreadable messages, because other error messages might quote the secret. */
  private reportUnreadable({ id }: OutgoingHook, error: unknown): undefined {
    const reason = error instanceof SecretUnreadable ? error.message : 'They are damaged.';
    this.logger.error(`The secrets of the outgoing webhook ${id} cannot be decrypted. ${reason}`);
  }

  private previousOf({ id, sealedPreviousSecret: sealed }: OutgoingHook): PreviousSecret[] {
    if (sealed === '') return [];
    return JSON.parse(this.box.open(sealed, PLACES.previousSecret(id))) as PreviousSecret[];
  }
}
