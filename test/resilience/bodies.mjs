/** Generates bodies: valid ones from the schema of the operation, then broken in one or more places. */
import { hostileString, hostileValue } from './hostile.mjs';
import { Pairs, toJsonText } from './json-text.mjs';

const MAX_DEPTH = 6;

/** The items of bodies that are bare lists. */
const listed = [
  [/\/usernames$/, 'username'],
  [/\/roles\/names$/, 'role_name'],
  [/\/posts\/ids$/, 'post_id'],
  [/\/channels\/ids$/, 'channel_id'],
  [/./, 'user_id'],
];

/** The schema of the body that an operation describes, if any. */
export function schemaOf({ requestBody }) {
  const content = requestBody?.content ?? {};
  return content['application/json']?.schema ?? Object.values(content)[0]?.schema;
}

/** A body that matches the schema. Its id is that of the path, otherwise later checks would not be reached. */
export function validBody(schema, { path }, ids, context) {
  const name = schema.type === 'array' ? listed.find(([pattern]) => pattern.test(path))[1] : '';
  const value = validValue(schema, name, context);
  for (const pair of value?.pairs ?? [])
    if (pair[0] === 'id' && context.random.chance(0.9)) pair[1] = Object.values(ids)[0] ?? pair[1];
  return value;
}

/**
 * A value that matches the schema. `world` provides existing ids where a name asks for one. A small value has
 * required fields only.
 */
export function validValue(schema, name, { document, random, world, isSmall = false, depth = 0 }) {
  const inner = { document, random, world, isSmall, depth: depth + 1 };
  if (!schema || depth > MAX_DEPTH) return null;
  if (schema.$ref) return validValue(resolve(document, schema.$ref), name, inner);
  for (const variants of [schema.oneOf, schema.anyOf, schema.allOf]) {
    if (variants?.length) return validValue(random.pick(variants), name, inner);
  }
  const known = world.valueFor(name, random);
  if (schema.type === 'array') {
    const count = random.between(0, 3);
    return Array.from({ length: count }, () => validValue(schema.items, singular(name), inner));
  }
  if (schema.properties) {
    const required = new Set(schema.required ?? []);
    const share = isSmall ? 0 : random.pick([0, 0.2, 0.2, 0.8]);
    const pairs = Object.entries(schema.properties)
      .filter(([key]) => required.has(key) || random.chance(share))
      .map(([key, property]) => [key, validValue(property, key, inner)]);
    return new Pairs(pairs);
  }
  if (known !== undefined && (schema.type === undefined || schema.type === typeof known)) return known;
  if (schema.enum && random.chance(0.9)) return random.pick(schema.enum);
  if (schema.example !== undefined && random.chance(0.7)) return Pairs.from(schema.example);
  switch (schema.type) {
    case 'integer':
    case 'number':
      return random.pick([0, 1, 5, 100]);
    case 'boolean':
      return random.chance(0.5);
    case 'object':
      return new Pairs([['key', random.letters(5)]]);
    default:
      return random.letters(random.between(1, 12));
  }
}

export function resolve(document, reference) {
  return reference
    .replace(/^#\//, '')
    .split('/')
    .reduce((at, key) => at?.[key], document);
}

/** Replaces, removes, repeats or moves one to four parts of `value`. */
export function mutated(value, random) {
  let root = value;
  for (let i = random.pick([1, 1, 1, 2, 3, 4]); i > 0; i--) root = mutatedOnce(root, random);
  return root;
}

function mutatedOnce(root, random) {
  const places = collect(root);
  if (places.length === 0 || random.chance(0.06)) return random.chance(0.3) ? [root] : hostileValue(random);
  const { container, at } = random.pick(places);
  if (container instanceof Pairs) mutatePair(container.pairs, at, random);
  else if (random.chance(0.2)) container.splice(at, 1);
  else if (random.chance(0.1)) container.push(...container.slice(0, 50));
  else container[at] = hostileValue(random);
  return root;
}

function mutatePair(pairs, at, random) {
  const [key, value] = pairs[at];
  const dice = random.next();
  if (dice < 0.12) pairs.splice(at, 1);
  else if (dice < 0.2) pairs.push([key, hostileValue(random)]);
  else if (dice < 0.24) pairs.splice(at, 0, [key, hostileValue(random)]);
  else if (dice < 0.28) pairs[at] = [String(key.text ?? key).toUpperCase(), value];
  else if (dice < 0.33) pairs.push([random.pick(strangeKeys), hostileValue(random)]);
  else if (dice < 0.36) pairs[at] = [hostileString(random), value];
  else if (dice < 0.4) pairs[at] = [key, [value]];
  else if (dice < 0.43) pairs[at] = [key, new Pairs([[key, value]])];
  else if (dice < 0.48 && typeof value === 'string') pairs[at] = [key, value + hostileString(random)];
  else pairs[at] = [key, hostileValue(random)];
}

const strangeKeys =
  '__proto__ constructor prototype id create_at delete_at roles props metadata type $ref '.split(' ');

function collect(root) {
  const places = [];
  const visit = (value) => {
    if (places.length > 500) return;
    if (value instanceof Pairs) {
      value.pairs.forEach(([, item], at) => {
        places.push({ container: value, at });
        visit(item);
      });
    } else if (Array.isArray(value)) {
      value.forEach((item, at) => {
        places.push({ container: value, at });
        visit(item);
      });
    }
  };
  visit(root);
  return places;
}

/** The bytes of a JSON body, sometimes with broken syntax. */
export function jsonBytes(value, random) {
  const text = toJsonText(value);
  const dice = random.next();
  if (dice < 0.8) return Buffer.from(text);
  if (dice < 0.84) return Buffer.from(text.slice(0, random.below(text.length + 1)));
  if (dice < 0.86) return Buffer.from(text + random.pick(['}', ']', 'x', '\0', ' {"a":1}', '\n\n', ',']));
  if (dice < 0.88) return Buffer.from(`\ufeff${text}`);
  if (dice < 0.9) return Buffer.from(text, 'utf16le');
  if (dice < 0.92) return Buffer.from(text.replace(/"/g, "'"));
  if (dice < 0.97) return withStrangeBytes(Buffer.from(text), random);
  return Buffer.from(random.pick(notBodies));
}

const notBodies = ['', ' ', ...'null true 0 "" [] {} \0 nul { [ " - {"a" \ufeff <xml/>'.split(' ')];

function withStrangeBytes(bytes, random) {
  const broken = Buffer.from(bytes);
  for (let i = random.between(1, 4); i > 0 && broken.length > 0; i--) {
    broken[random.below(broken.length)] = random.pick([
      0x00, 0x80, 0xc0, 0xed, 0xfe, 0xff, 0x22, 0x5c, 0x7b, 0x0a,
    ]);
  }
  return broken;
}

/** A form with the JSON in the field `payload`, or a variation of it. */
export function formBytes(value, random) {
  const json = jsonBytes(value, random);
  const encoded = [...json]
    .map((byte) =>
      /[a-z0-9]/i.test(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).padStart(2, '0')}`,
    )
    .join('');
  const text = random.pick([
    `payload=${encoded}`,
    `payload=${encoded}&payload=${encoded}`,
    `a=b&payload=${encoded}&c`,
    `payload=%zz${encoded}`,
    `payload=${json.toString('latin1')}`,
    `Payload=${encoded}`,
    `payload[]=${encoded}`,
    'payload=',
    '&&==&',
    'a&'.repeat(5_000),
  ]);
  return Buffer.from(text, 'latin1');
}

const partNames = 'text payload username channel icon_url attachments TEXT file __proto__ '.split(' ');

/** A multipart body with known, unknown and broken parts. Returns the bytes and the boundary. */
export function multipartBytes(value, random) {
  const boundary = random.pick(['b', 'x'.repeat(70), 'x'.repeat(300), '--', 'a b', random.letters(10)]);
  const names = [...partNames, hostileString(random).slice(0, 200)];
  const pieces = [];
  for (let i = random.between(0, 6); i > 0; i--) {
    const name = random.pick(names);
    const file = random.chance(0.2) ? `; filename="${random.pick(['a.txt', '', '../x', 'é'])}"` : '';
    const content = random.chance(0.5) ? jsonBytes(value, random) : Buffer.from(hostileString(random));
    pieces.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${random.pick(['', 'Content-Type: application/json\r\n', 'Content-Type: text/plain; charset=utf-16\r\n', 'Content-Transfer-Encoding: base64\r\n'])}\r\n`,
      ),
      content,
      Buffer.from('\r\n'),
    );
  }
  if (random.chance(0.85)) pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return { bytes: Buffer.concat(pieces), boundary };
}

function singular(name) {
  return name.replace(/_ids$/, '_id');
}
