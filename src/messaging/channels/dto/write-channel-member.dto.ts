import type { PipeTransform } from '@nestjs/common';
import { decodeBody } from '../../../platform/common/dto/body.pipe.js';
import { BodyName, IdField, StringListField } from '../../../platform/common/dto/fields.js';
import { noteReceived } from '../../../platform/common/dto/received-body.js';
import { InvalidBodyParam } from '../../../platform/common/errors/common-errors.js';

@BodyName('channel_member')
export class AddChannelMemberDto {
  @IdField({
    description: 'The user to add; the answer is one record.',
    example: 'q7kdzcm5wtd5jfzn8u5fxpbkjo',
  })
  user_id?: string;
  @StringListField({
    description: 'Several users to add, 1000 at most; the answer is a list.',
    example: ['q7kdzcm5wtd5jfzn8u5fxpbkjo'],
  })
  user_ids?: string[];
  @IdField({ description: 'The post of the invitation; its shape is checked and nothing more.', example: '' })
  post_root_id = '';
}

@BodyName('channel_view')
export class ViewChannelDto {
  @IdField({
    description: 'The channel that is opened; empty when the window loses the focus.',
    example: 'k4tdzcm5wtd5jfzn8u5fxpbkjr',
  })
  channel_id = '';
  @IdField({ description: 'The channel that is left; may be empty.', example: '' }) prev_channel_id = '';
}

/** A body that is an object of strings, such as settings. */
export class StringMapBody implements PipeTransform {
  constructor(private readonly name: string) {}

  transform(value: unknown): Record<string, string> {
    const map = Buffer.isBuffer(value) ? decodeBody(value, this.name) : value;
    if (typeof map !== 'object' || map === null || Array.isArray(map)) {
      throw new InvalidBodyParam(this.name, 'it must be a JSON object');
    }
    const entries = Object.entries(map as Record<string, unknown>);
    const wrong = entries.find(([, text]) => typeof text !== 'string');
    if (wrong) throw new InvalidBodyParam(wrong[0].slice(0, 64), 'it must be a string');
    return noteReceived(value, Object.fromEntries(entries) as Record<string, string>);
  }
}
