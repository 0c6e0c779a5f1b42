/** What a message may grow by on the way from what was sent to what is stored. */
const MAX_GROWTH_BYTES = 4 * 1024 * 1024;

/** The props are too long, and no way of splitting helps. */
export class PropsTooLarge extends Error {
  override readonly name = 'PropsTooLarge';

  constructor() {
    super('the props take too much room');
  }
}

/** Counts what the server adds to a content, before it is made: an empty attachment grows seventyfold. */
export class Growth {
  private left = MAX_GROWTH_BYTES;

  /** @throws PropsTooLarge */
  add(bytes: number): void {
    this.left -= bytes;
    if (this.left < 0) throw new PropsTooLarge();
  }
}
