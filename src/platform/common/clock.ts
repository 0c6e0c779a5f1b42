import { Injectable } from '@nestjs/common';

/** The time in milliseconds since the epoch; tests replace it by a fixed one. */
@Injectable()
export class Clock {
  now(): number {
    return Date.now();
  }
}
