import { ApiParam, ApiQuery } from '@nestjs/swagger';

const REFUSED_WHEN_MALFORMED = 'hookline:refused-when-malformed';

/** How a query parameter is described: a sentence, or that with an example or a schema. */
export type ParamDescription =
  | string
  | {
      readonly description: string;
      readonly example?: unknown;
      readonly schema?: object;
      readonly required?: boolean;
    };

/** A parameter that adds its own description to the operation, and the 400 for values that it refuses. */
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

/** Whether one of the parameters of a route answers 400 to some values. */
export const isRefusedWhenMalformed = (handler: object): boolean =>
  Reflect.hasMetadata(REFUSED_WHEN_MALFORMED, handler);

/** Documents a parameter in the path. */
export const describePathParam = (name: string, described: ParamDescription): MethodDecorator =>
  ApiParam({ name, ...told(described) });

/** Documents a query parameter. */
export const describeQueryParam = (name: string, described: ParamDescription): MethodDecorator =>
  ApiQuery({ name, required: false, ...told(described) });

function told(described: ParamDescription) {
  const { schema, example, ...rest } = typeof described === 'string' ? { description: described } : described;
  return { ...rest, schema: { type: 'string', ...schema, ...(example !== undefined && { example }) } };
}
