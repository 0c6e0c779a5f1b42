import { ApiParam, ApiQuery } from '@nestjs/swagger';

const REFUSED_WHEN_MALFORMED = 'hookline:refused-when-malformed';

/** The description of a parameter: a sentence, or a sentence with an example or a schema. */
export type ParamDescription =
  | string
  | {
      readonly description: string;
      readonly example?: unknown;
      readonly schema?: object;
      readonly required?: boolean;
    };

/** A parameter decorator that also documents the parameter, and the 400 for invalid values if `isRefused`. */
export function documented(
  parameter: ParameterDecorator,
  description: MethodDecorator,
  isRefused = true,
): ParameterDecorator {
  return (target, method, index) => {
    parameter(target, method, index);
    const descriptor = method === undefined ? undefined : Object.getOwnPropertyDescriptor(target, method);
    if (method === undefined || !descriptor) return;
    description(target, method, descriptor);
    if (isRefused) Reflect.defineMetadata(REFUSED_WHEN_MALFORMED, true, descriptor.value as object);
  };
}

/** Whether a route responds with 400 to invalid values of any parameter. */
export const isRefusedWhenMalformed = (handler: object): boolean =>
  Reflect.hasMetadata(REFUSED_WHEN_MALFORMED, handler);

/** Documents a path parameter. */
export const describePathParam = (name: string, described: ParamDescription): MethodDecorator =>
  ApiParam({ name, ...optionsOf(described) });

/** Documents a query parameter. */
export const describeQueryParam = (name: string, described: ParamDescription): MethodDecorator =>
  ApiQuery({ name, required: false, ...optionsOf(described) });

function optionsOf(described: ParamDescription) {
  const { schema, example, ...options } =
    typeof described === 'string' ? { description: described } : described;
  return { ...options, schema: { type: 'string', ...schema, ...(example !== undefined && { example }) } };
}
