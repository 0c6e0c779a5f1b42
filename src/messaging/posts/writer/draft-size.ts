import type { PostDraft } from './write-request.js';

/** About what a post takes beside its message and props. */
const ROW_BYTES = 512;

/** About how many bytes the drafts take together, whatever their characters. */
export function sizeOfDrafts(drafts: readonly Pick<PostDraft, 'message' | 'props'>[]): number {
  return drafts.reduce(
    (sum, { message, props }) => sum + sizeOf(message, JSON.stringify(props ?? {}).length),
    0,
  );
}

/** The same for one draft with props of a known length as JSON. */
export function sizeOf(message: string, propsLength: number): number {
  return ROW_BYTES + 3 * (message.length + propsLength);
}
