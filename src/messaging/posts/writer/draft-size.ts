import type { PostDraft } from './write-request.js';

/** The approximate size of a post without its message and props. */
const ROW_BYTES = 512;

/** The approximate total size of the drafts in bytes. Counts three bytes per character. */
export function sizeOfDrafts(drafts: readonly Pick<PostDraft, 'message' | 'props'>[]): number {
  return drafts.reduce(
    (sum, { message, props }) => sum + sizeOf(message, JSON.stringify(props ?? {}).length),
    0,
  );
}

/** The same for one draft, given the length of its props as JSON. */
export function sizeOf(message: string, propsLength: number): number {
  return ROW_BYTES + 3 * (message.length + propsLength);
}
