import { Injectable } from '@nestjs/common';

/** The current time in milliseconds since the epoch. Tests replace it with a fixed clock. */
@Injectable()
export class Clock {
  now(): number {
    return Date.now();
  }
}
