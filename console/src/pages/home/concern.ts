import type { ReactNode } from 'react';
import type { Tone } from '../../parts/badge';

/** Something that needs somebody: one webhook, endpoint or server. */
export interface Concern {
  readonly key: string;
  readonly tone: Tone;
  /** How it stands, in a word or two. */
  readonly state: string;
  /** Its name, which leads to its page. */
  readonly title: ReactNode;
  /** What is wrong. */
  readonly text: ReactNode;
  /** Since when; 0: not known. */
  readonly at: number;
}
