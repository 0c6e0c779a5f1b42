import { FORMAT_FUNCTIONS } from './format-functions.js';
import { HOOK_FUNCTIONS } from './hook-functions.js';
import type { TextFunction } from './kinds.js';
import { MESSAGING_FUNCTIONS } from './messaging-functions.js';
import { PLATFORM_FUNCTIONS } from './platform-functions.js';

/** The measured functions, by file and name. */
export const TEXT_FUNCTIONS: Readonly<Record<string, TextFunction>> = {
  ...FORMAT_FUNCTIONS,
  ...HOOK_FUNCTIONS,
  ...MESSAGING_FUNCTIONS,
  ...PLATFORM_FUNCTIONS,
};
