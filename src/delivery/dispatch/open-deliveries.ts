import { Injectable } from '@nestjs/common';

/**
 * How many deliveries are open, without counting them each time. What opens and settles is added up; the sum is only
 * an estimate where several settle a delivery at once, so it is replaced by what was counted.
 */
@Injectable()
export class OpenDeliveries {
  /** How many more were opened than settled since the start. */
  balance = 0;
  private estimate: number | undefined;

  /** Undefined until they were counted once. */
  get count(): number | undefined {
    return this.estimate;
  }

  opened(count: number): void {
    this.balance += count;
    if (this.estimate !== undefined) this.estimate += count;
  }

  settled(count: number): void {
    this.balance -= count;
    if (this.estimate !== undefined) this.estimate = Math.max(0, this.estimate - count);
  }

  counted(count: number): void {
    this.estimate = count;
  }
}
