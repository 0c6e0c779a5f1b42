/**
 * Inner error IDs for payloads that cannot be decoded; the status is always 400
 * (docs/contract/incoming-webhooks.md#errors).
 */
export type PayloadErrorId =
  | 'web.incoming_webhook.media_type.app_error'
  | 'web.incoming_webhook.parse_form.app_error'
  | 'web.incoming_webhook.parse_multipart.app_error'
  | 'model.incoming_hook.parse_data.app_error';

/**
 * The payload cannot be decoded. `phase` says whether its container (`form`) or its content (`decode`) is
 * invalid. `detail` names the field, never its value. `remedy` is a sentence that says what to send instead,
 * or empty if `detail` already does.
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
