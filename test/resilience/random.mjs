/** A seeded random generator: the same seed gives the same numbers on every machine. */
export class Random {
  #state;

  constructor(...seeds) {
    this.#state = 0x9e3779b9;
    for (const seed of seeds) {
      this.#state = Math.imul(this.#state ^ (seed >>> 0), 0x85ebca6b) >>> 0;
      this.next();
    }
  }

  /** A number in [0, 1), by mulberry32. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** An integer in [0, end). */
  below(end) {
    return Math.floor(this.next() * end);
  }

  between(first, last) {
    return first + this.below(last - first + 1);
  }

  chance(probability) {
    return this.next() < probability;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  letters(length) {
    let text = '';
    for (let i = 0; i < length; i++) text += 'abcdefghijkmnopqrstuwxyz13456789'[this.below(32)];
    return text;
  }
}
