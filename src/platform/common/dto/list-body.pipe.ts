import type { PipeTransform } from '@nestjs/common';
import { InvalidBodyParam } from '../errors/common-errors.js';
import { decodeBody } from './body.pipe.js';

/** A body that is a list of strings, such as ids: `@Body(new StringListBody('user_ids', 200)) ids: string[]`. */
export class StringListBody implements PipeTransform {
  constructor(
    private readonly name: string,
    private readonly maxItems: number,
    private readonly minItems = 1,
  ) {}

  transform(value: unknown): string[] {
    const list = Buffer.isBuffer(value) ? decodeBody(value, this.name) : value;
    if (!Array.isArray(list) || !list.every((item) => typeof item === 'string')) {
      throw new InvalidBodyParam(this.name, 'it must be a list of strings');
    }
    if (list.length < this.minItems) throw new InvalidBodyParam(this.name);
    if (list.length > this.maxItems)
      throw new InvalidBodyParam(this.name, `it may have ${this.maxItems} items at most`);
    return list;
  }
}
