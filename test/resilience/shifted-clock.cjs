/* Loaded into a server process by NODE_OPTIONS: its clock is SHIFTED_CLOCK_MS ahead of the machine's. */
'use strict';
const shiftMs = Number(process.env.SHIFTED_CLOCK_MS);
const RealDate = Date;

globalThis.Date = class Date extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() + shiftMs);
    else super(...values);
  }

  static now() {
    return RealDate.now() + shiftMs;
  }
};
