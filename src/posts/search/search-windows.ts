/** A post as far as it matters for how long a look at it takes. */
export interface PostSize {
  readonly seq: number;
  readonly bytes: number;
}

/** A run of posts: those of `from`, and up to but without `below`. */
export interface SearchWindow {
  readonly from: number;
  readonly below: number;
  readonly bytes: number;
}

/**
 * Cuts posts, newest first, into windows of at most `maxBytes`; one of more bytes is a window of its own. Posts of the
 * same place in the order stay together.
 */
export function windowsOf(posts: readonly PostSize[], below: number, maxBytes: number): SearchWindow[] {
  const windows: SearchWindow[] = [];
  let window: SearchWindow | undefined;
  for (const { seq, bytes } of posts) {
    if (window && window.bytes + bytes > maxBytes && seq < window.from) {
      windows.push(window);
      window = { from: seq, below: window.from, bytes };
    } else {
      window = { from: seq, below: window?.below ?? below, bytes: (window?.bytes ?? 0) + bytes };
    }
  }
  return window ? [...windows, window] : windows;
}
