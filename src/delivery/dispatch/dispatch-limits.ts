import { Injectable } from '@nestjs/common';
import { CIRCUIT_LIMITS } from './circuit.js';

/** The bounds of what the dispatcher keeps in memory. An injectable, so that tests can change them. */
@Injectable()
export class DispatchLimits {
  /** Jobs in memory, in total. */
  maxJobs = 20_000;
  maxJobBytes = 64 * 1024 * 1024;
  /** Jobs of one flow in memory: fewer the fuller the memory is. */
  jobsPerFlow = { plenty: 1_000, scarce: 50, none: 2 };
  /** Rows that one query reads. */
  readSize = 200;
  maxReadsAtOnce = 4;
  circuit = CIRCUIT_LIMITS;
  /** An endpoint that was not called for so long is a new one. */
  forgetLaneAfterMs = 10 * 60_000;
  /** Of more lanes than this, those whose next call is far off are forgotten like new ones. */
  maxRestingLanes = 10_000;
  /** Lanes of one process, where several serve one database. */
  maxLanes = 1_000;
}
