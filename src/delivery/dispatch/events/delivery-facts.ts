/** Facts about one attempt to make a delivery. */
export interface DeliveryFacts {
  readonly deliveryId: string;
  readonly kind: string;
  readonly ownerId: string;
  readonly subjectId: string;
  readonly attempt: number;
  /** 0 when no reply came. */
  readonly statusCode: number;
  /** Empty when a reply came. */
  readonly errorClass: string;
}
