import { Injectable } from '@nestjs/common';

/** The bounds of what the dispatcher keeps in memory. A class of its own, so that a test can reach them. */
@Injectable()
export class DispatchLimits {
  /** Jobs in memory, in all. */
  maxJobs = 20_000;
  maxJobBytes = 64 * 1024 * 1024;
  /** How many jobs one lane may have waiting in memory: the fuller it is, the fewer. */
  jobsPerLane = { plenty: 1_000, scarce: 50, none: 2 };
  /** Rows that one query brings into memory. */
  readSize = 200;
  maxReadsAtOnce = 4;
}
