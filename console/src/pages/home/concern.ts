import type { ReactNode } from 'react';
import type { Tone } from '../../parts/badge';

/** A webhook, endpoint or server that needs attention. */
export interface Concern {
  readonly key: string;
  readonly tone: Tone;
  /** Its state, in one or two words. */
  readonly state: string;
  /** Its name, linked to its page. */
  readonly title: ReactNode;
  /** What is wrong. */
  readonly text: ReactNode;
  /** Start time; 0 if unknown. */
  readonly at: number;
}
