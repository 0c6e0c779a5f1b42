/** Writes JSON that JSON.stringify cannot: repeated keys, invalid numbers and invalid strings. */

/** Text that is inserted into the JSON as is. */
export class Raw {
  constructor(text) {
    this.text = text;
  }
}

/** An object as a list of [key, value], so that keys can repeat. */
export class Pairs {
  constructor(pairs) {
    this.pairs = pairs;
  }

  static of(object) {
    return new Pairs(Object.entries(object).map(([key, value]) => [key, Pairs.from(value)]));
  }

  /** Converts every object inside a plain value to Pairs. */
  static from(value) {
    if (Array.isArray(value)) return value.map(Pairs.from);
    return isPlainObject(value) ? Pairs.of(value) : value;
  }
}

export function toJsonText(value) {
  if (value instanceof Raw) return value.text;
  if (value instanceof Pairs) {
    return `{${value.pairs.map(([key, item]) => `${key instanceof Raw ? key.text : JSON.stringify(key)}:${toJsonText(item)}`).join(',')}}`;
  }
  if (Array.isArray(value)) return `[${value.map(toJsonText).join(',')}]`;
  return JSON.stringify(value) ?? 'null';
}

function isPlainObject(value) {
  return typeof value === 'object' && value !== null && !(value instanceof Raw) && !(value instanceof Pairs);
}
