/** JSON text with what JSON.stringify cannot write: repeated keys, broken numbers, broken strings. */

/** Text that goes into the JSON as it is. */
export class Raw {
  constructor(text) {
    this.text = text;
  }
}

/** An object as a list of [key, value], so that a key can come twice. */
export class Pairs {
  constructor(pairs) {
    this.pairs = pairs;
  }

  static of(object) {
    return new Pairs(Object.entries(object).map(([key, value]) => [key, Pairs.from(value)]));
  }

  /** A plain value with every object in it as Pairs. */
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
