/**
 * The inner error ids for payloads that cannot be decoded, all answered with 400
 * (docs/contract/incoming-webhooks.md#errors).
 */
export type PayloadErrorId =
  | 'web.incoming_webhook.media_type.app_error'
  | 'web.incoming_webhook.parse_form.app_error'
  | 'web.incoming_webhook.parse_multipart.app_error'
  | 'model.incoming_hook.parse_data.app_error';

/**
 * A payload cannot be decoded. `phase` says whether its container (`form`) or its content (`decode`) is invalid.
 * `detail` names the field, never its value; `remedy` is a sentence that says what to send instead, empty where the
 * detail does.
 */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';
  readonly phase: 'form' | 'decode';

  constructor(
    readonly id: PayloadErrorId,
    readonly detail: string,
    readonly remedy: string,
  ) {
    super(detail);
    this.phase = id === 'model.incoming_hook.parse_data.app_error' ? 'decode' : 'form';
  }
}
