/** How much larger a message may be when stored than when sent. */
const MAX_GROWTH_BYTES = 4 * 1024 * 1024;

/** The props are too large, even if split over several posts. */
export class PropsTooLarge extends Error {
  override readonly name = 'PropsTooLarge';

  constructor() {
    super('the props are too large');
  }
}

/** Limits what the server adds to a message before it allocates it: an empty attachment grows seventyfold. */
export class Growth {
  private remaining = MAX_GROWTH_BYTES;

  /** @throws PropsTooLarge */
  add(bytes: number): void {
    this.remaining -= bytes;
    if (this.remaining < 0) throw new PropsTooLarge();
  }
}
