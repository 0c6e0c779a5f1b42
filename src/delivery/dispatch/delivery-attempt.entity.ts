import { Entity } from 'typeorm';
import type { CallTiming } from '../outbound/exchange.js';
import {
  BigColumn,
  IntColumn,
  LongTextColumn,
  PrimaryIdColumn,
  PrimaryIntColumn,
  TextColumn,
} from '../../platform/database/columns.js';

/** What is kept of a call beside its result, for whoever looks into it. */
export interface AttemptDetail extends CallTiming {
  /** As many of the reply's headers as fit into 2 KiB, without secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** How much of the body was read, decompressed; -1 if unknown. */
  readonly replyBytes: number;
  /** The body went on. */
  readonly isCut: boolean;
  /** Of the server that made the call, which names it. */
  readonly version: string;
  /** As the call had it; empty without one. */
  readonly traceparent: string;
}

/** The first one, which does not note itself. */
const FIRST_VERSION = '0.1.0';

/** Of attempts of earlier versions. */
export const NO_DETAIL: AttemptDetail = {
  ...{ nameMs: -1, connectMs: -1, tlsMs: -1, sentMs: -1 },
  ...{ headers: {}, replyBytes: -1, isCut: false },
  ...{ version: FIRST_VERSION, traceparent: '' },
};

const DETAILS = Object.keys(NO_DETAIL) as (keyof AttemptDetail)[];

/** As short as it can be, since there is one for each call: without what is as in NO_DETAIL. */
const detail = {
  to: (value: AttemptDetail = NO_DETAIL) => {
    const known: Partial<Record<keyof AttemptDetail, unknown>> = {};
    for (const key of DETAILS) if (value[key] !== NO_DETAIL[key]) known[key] = value[key];
    return JSON.stringify(known);
  },
  from: (text: string): AttemptDetail =>
    text === '' ? NO_DETAIL : { ...NO_DETAIL, ...(JSON.parse(text) as Partial<AttemptDetail>) },
};

/** One attempt to make a delivery, and its result. */
@Entity('delivery_attempts')
export class DeliveryAttempt {
  @PrimaryIdColumn() deliveryId: string;
  @PrimaryIntColumn() number: number;
  @BigColumn() startAt: number;
  @IntColumn() durationMs: number;
  /** Time to the first byte of the reply; -1 if there was no reply. */
  @IntColumn() firstByteMs: number;
  /** 0 if there was no reply. */
  @IntColumn() statusCode: number;
  /** The kind of failure, as in OutboundFailure; empty if the call was completed. */
  @TextColumn(32) errorClass: string;
  /** A sentence for people: what went wrong, or what happened to the reply. */
  @TextColumn(255) note: string;
  /** The first 4 KiB of the reply. */
  @LongTextColumn() reply: string;
  @TextColumn(2_500, { default: '', transformer: detail }) detail: AttemptDetail;
}
