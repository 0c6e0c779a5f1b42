/**
 * The inner ids of payloads that cannot be decoded, all answered with 400
 * (docs/contract/incoming-webhooks.md#errors).
 */
export type PayloadErrorId =
  | 'web.incoming_webhook.media_type.app_error'
  | 'web.incoming_webhook.parse_form.app_error'
  | 'web.incoming_webhook.parse_multipart.app_error'
  | 'model.incoming_hook.parse_data.app_error';

/**
 * A payload cannot be read. `phase` says which outer id the client sees: in `form` the container is
 * broken, in `decode` what it contains. `detail` names the field, never its value.
 */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';
  readonly phase: 'form' | 'decode';

  constructor(
    readonly id: PayloadErrorId,
    readonly detail: string,
  ) {
    super(detail);
    this.phase = id === 'model.incoming_hook.parse_data.app_error' ? 'decode' : 'form';
  }
}
