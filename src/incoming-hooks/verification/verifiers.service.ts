import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { Settings } from '../../platform/config/settings.js';
import { sealedPlaces } from '../../platform/database/sealed-columns.js';
import { SecretBox, SecretUnreadable } from '../../platform/secrets/secret-box.js';
import { IncomingHook } from '../incoming-hook.entity.js';
import { faultOfSecret, requireProof, type VerifiableCall } from './checks.js';
import { invalidVerifier, readVerifier, URL_AND_FORM } from './verifier.js';

/** A secret; a replaced one is valid until a time in milliseconds, the current one has 0. */
interface VerifierSecret {
  readonly secret: string;
  readonly until: number;
}

type Verified = Pick<IncomingHook, 'verifier' | 'sealedVerifierSecrets'>;

const PLACE = sealedPlaces(IncomingHook, 'sealedVerifierSecrets');

/** Sets the verifiers of incoming webhooks, and verifies their calls (docs/contract/incoming-webhooks.md#verifiers). */
@Injectable()
export class VerifiersService {
  /** Decryption is slow. Cached by record, since records are never modified in place. */
  private readonly opened = new WeakMap<IncomingHook, readonly VerifierSecret[]>();

  constructor(
    private readonly box: SecretBox,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** Throws `unverified` if the webhook has a verifier that the call does not pass. */
  requireVerified(hook: IncomingHook, call: VerifiableCall, isPayloadInUrl: boolean): void {
    if (!hook.verifier) return;
    const now = this.clock.now();
    const secrets = this.open(hook)
      .filter(({ until }) => until === 0 || until > now)
      .map(({ secret }) => secret);
    requireProof(hook.verifier, call, {
      ...{ secrets, now, isPayloadInUrl },
      siteUrl: this.settings.siteUrl ?? '',
    });
  }

  /** The columns that a `verifier` in a body changes: null removes it. Throws `invalidVerifier`. */
  changeOf(hook: IncomingHook, body: object | null | undefined): Partial<Verified> {
    if (body === undefined) return {};
    if (body === null) return { verifier: null, sealedVerifierSecrets: '' };
    const { verifier, secret, isRotated } = readVerifier(body);
    if (verifier.type === 'ip')
      return { verifier: { ...verifier, previous_secret_expires_at: 0 }, sealedVerifierSecrets: '' };
    if (
      'signed' in verifier &&
      (verifier.signed === URL_AND_FORM || verifier.signed.includes('{url}')) &&
      this.settings.siteUrl === undefined
    )
      throw invalidVerifier('signed', 'the URL is signed, but SITE_URL of this server is not set');
    const [current, previous] = this.secretsAfter(this.tryOpen(hook), secret, isRotated);
    const fault = current ? faultOfSecret(verifier, current.secret) : 'it is missing';
    if (fault !== undefined) throw invalidVerifier('secret', fault);
    const isUsable = previous && faultOfSecret(verifier, previous.secret) === undefined; // the type may be new
    const secrets = isUsable ? [current, previous] : [current];
    return {
      verifier: { ...verifier, previous_secret_expires_at: isUsable ? previous.until : 0 },
      sealedVerifierSecrets: this.box.seal(JSON.stringify(secrets), PLACE(hook.id)),
    };
  }

  /** The columns that change when the webhook gets another ID, because secrets are sealed for the row. */
  movedTo(id: string, hook: IncomingHook): Partial<Verified> {
    const secrets = this.tryOpen(hook);
    if (secrets.length === 0) return {};
    return { sealedVerifierSecrets: this.box.seal(JSON.stringify(secrets), PLACE(id)) };
  }

  /** The current secret, and the one that it replaced while that is valid. */
  private secretsAfter(
    stored: readonly VerifierSecret[],
    secret: string | undefined,
    isRotated: boolean,
  ): readonly VerifierSecret[] {
    const now = this.clock.now();
    const [current, previous] = stored;
    const isSame = secret === undefined || secret === current?.secret;
    const older = isSame ? previous : current && { ...current, until: now + this.settings.signingOverlapMs };
    const newest = isSame ? current : { secret, until: 0 };
    return [newest, isRotated ? older : undefined].filter(
      (one) => one !== undefined && (one.until === 0 || one.until > now),
    ) as VerifierSecret[];
  }

  private open(hook: IncomingHook): readonly VerifierSecret[] {
    let secrets = this.opened.get(hook);
    if (!secrets) {
      const { id, sealedVerifierSecrets: sealed } = hook;
      secrets = sealed === '' ? [] : (JSON.parse(this.box.open(sealed, PLACE(id))) as VerifierSecret[]);
      this.opened.set(hook, secrets);
    }
    return secrets;
  }

  /** Secrets that cannot be decrypted must be sent again. */
  private tryOpen(hook: IncomingHook): readonly VerifierSecret[] {
    try {
      return this.open(hook);
    } catch (error) {
      if (error instanceof SecretUnreadable) return [];
      throw error;
    }
  }
}
