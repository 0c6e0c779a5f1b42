/** Facts about one attempt to make a delivery. */
export interface DeliveryFacts {
  readonly deliveryId: string;
  readonly kind: string;
  readonly ownerId: string;
  readonly subjectId: string;
  /** May hold a secret in its path. */
  readonly url: string;
  readonly attempt: number;
  /** 0 if there was no reply. */
  readonly statusCode: number;
  /** Empty if there was a reply. */
  readonly errorClass: string;
  /** How long the call took; -1 if unknown. */
  readonly durationMs: number;
  readonly finishedAt: number;
}
