/** Checks values against the schemas of an OpenAPI 3.0 document. A schema with properties allows no others. */
import { Ajv2019 } from 'ajv/dist/2019.js';

/** @typedef {Record<string, any>} Schema */

const NAMED = '#/components/schemas/';

export class SchemaChecker {
  #ajv = new Ajv2019({ strict: false, validateFormats: false, validateSchema: false, meta: false });
  /** By the text of the schema: most are the same error. @type {Map<string, import('ajv').ValidateFunction>} */
  #compiled = new Map();

  /** @param {Record<string, Schema>} named the schemas that others refer to */
  constructor(named) {
    for (const [name, schema] of Object.entries(named)) this.#ajv.addSchema(asPart(schema), NAMED + name);
  }

  /**
   * Describes where the value differs from the schema, without quoting the value; undefined if it does not.
   *
   *
   * @param {Schema} schema
   * @param {unknown} value
   */
  findFault(schema, value) {
    const key = JSON.stringify(schema);
    let validate = this.#compiled.get(key);
    if (!validate) this.#compiled.set(key, (validate = this.#ajv.compile(asWhole(schema))));
    if (validate(value)) return undefined;
    return (validate.errors ?? [])
      .map(({ instancePath, message, params }) =>
        [instancePath || 'the body', message, params.unevaluatedProperty].filter(Boolean).join(' '),
      )
      .join(', ');
  }
}

/** As JSON Schema, for a value that no other schema extends. */
function asWhole(/** @type {Schema} */ schema) {
  const isClosed =
    schema.additionalProperties === undefined && (schema.$ref || schema.allOf || schema.properties);
  const { nullable, ...part } = asPart(schema);
  const whole = isClosed ? { ...part, unevaluatedProperties: false } : part;
  return nullable ? { anyOf: [{ type: 'null' }, whole] } : whole;
}

/** As JSON Schema, for one of several parts of an `allOf`. */
function asPart(/** @type {Schema} */ schema) {
  const part = { ...schema };
  const each = (/** @type {Schema[]} */ list, /** @type {(schema: Schema) => Schema} */ to) =>
    list.map((one) => to(one));
  if (schema.properties)
    part.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, asWhole(property)]),
    );
  for (const key of ['items', 'additionalProperties'])
    if (typeof schema[key] === 'object') part[key] = asWhole(schema[key]);
  for (const key of ['oneOf', 'anyOf']) if (schema[key]) part[key] = each(schema[key], asWhole);
  if (schema.allOf) part.allOf = each(schema.allOf, asPart);
  return part;
}
