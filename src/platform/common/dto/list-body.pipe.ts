import { Body, type PipeTransform, type Type } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { InvalidBodyParam } from '../errors/common-errors.js';
import { decodeBody, toRequests } from './body.pipe.js';
import { documented } from './documented-param.js';
import { noteReceived } from './received-body.js';

/** No id and no name is longer. */
const MAX_ITEM_LENGTH = 128;

/** A body that is a list of 1 to `maxItems` strings, such as ids, documented with `examples`. */
export const StringListBody = (name: string, maxItems: number, ...examples: string[]): ParameterDecorator =>
  documented(
    Body(new StringListPipe(name, maxItems)),
    ApiBody({
      schema: {
        type: 'array',
        minItems: 1,
        maxItems,
        items: { type: 'string', maxLength: MAX_ITEM_LENGTH },
        example: examples,
      },
    }),
  );

/** A body that is a list of 1 to `maxItems` objects, each with the fields of its request class. */
export const ListBody = (name: string, maxItems: number, type: Type<object>): ParameterDecorator =>
  documented(Body(new ListPipe(name, maxItems, type)), ApiBody({ type: [type] }));

class ListPipe implements PipeTransform {
  constructor(
    private readonly name: string,
    private readonly maxItems: number,
    private readonly type: Type<object>,
  ) {}

  transform(value: unknown): object[] {
    const list = Buffer.isBuffer(value) ? decodeBody(value, this.name) : value;
    if (!Array.isArray(list)) throw new InvalidBodyParam(this.name, 'it must be a list');
    if (list.length === 0 || list.length > this.maxItems)
      throw new InvalidBodyParam(this.name, `it must have 1 to ${this.maxItems} items`);
    return noteReceived(value, toRequests(list, this.type, this.name));
  }
}

class StringListPipe implements PipeTransform {
  constructor(
    private readonly name: string,
    private readonly maxItems: number,
  ) {}

  transform(value: unknown): string[] {
    const list = Buffer.isBuffer(value) ? decodeBody(value, this.name) : value;
    if (!Array.isArray(list) || !list.every((item) => typeof item === 'string')) {
      throw new InvalidBodyParam(this.name, 'it must be a list of strings');
    }
    if (list.length === 0) throw new InvalidBodyParam(this.name);
    if (list.length > this.maxItems)
      throw new InvalidBodyParam(this.name, `it may have ${this.maxItems} items at most`);
    if (list.some((item) => item.length > MAX_ITEM_LENGTH))
      throw new InvalidBodyParam(this.name, `each may have ${MAX_ITEM_LENGTH} characters at most`);
    return noteReceived(value, list);
  }
}
