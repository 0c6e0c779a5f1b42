import { Entity } from 'typeorm';
import { JsonColumn, PrimaryIdColumn, PrimaryTextColumn } from '../../platform/database/columns.js';
import type { JsonObject } from '../../platform/common/json.js';

/** What the bodies of all deliveries of one kind about one subject have in common. It lives as long as one of them. */
@Entity('delivery_payloads')
export class DeliveryPayload {
  @PrimaryIdColumn() subjectId: string;
  @PrimaryTextColumn(32) kind: string;
  @JsonColumn() body: JsonObject;
}
