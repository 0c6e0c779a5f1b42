/** Query strings: parameters of the operation with valid and invalid values, and some unknown ones. */
import { validValue } from './bodies.mjs';
import { hostileSegment } from './hostile.mjs';

export function queryOf({ operation }, context) {
  const { random } = context;
  const pairs = [];
  for (const parameter of (operation.parameters ?? []).filter((item) => item.in === 'query')) {
    if (!random.chance(parameter.required ? 0.85 : 0.35)) continue;
    const times = random.chance(0.06) ? 3 : 1;
    for (let i = 0; i < times; i++)
      pairs.push(
        `${parameter.name}${random.pick(['', '', '', '', '', '', '[]', '[a]'])}=${queryValue(parameter, context)}`,
      );
  }
  if (random.chance(0.04)) pairs.push(random.pick(strangePairs));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function queryValue({ name, schema }, context) {
  const { random, world } = context;
  const dice = random.next();
  if (dice < 0.5) {
    const value = world.valueFor(name, random) ?? validValue(schema, name, context);
    return encodeURIComponent(typeof value === 'object' ? '' : String(value));
  }
  return dice < 0.65 ? random.pick(strangeNumbers) : hostileSegment(random);
}

const strangePairs = [
  'page=-1',
  'per_page=0',
  'per_page=1e9',
  'page=99999999999999999999',
  '__proto__[x]=1',
  '=',
  '&&',
  'access_token=x',
  'a'.repeat(2_100),
];

const strangeNumbers = [
  ...['-1', '0', '1', '2', '200', '201', '1e3', '0x1', '1.5', 'NaN', '', '999999999999', '9'.repeat(30)],
  ...['true', 'T', 'false'],
];
