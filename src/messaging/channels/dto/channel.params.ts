import { Param, type PipeTransform } from '@nestjs/common';
import { describePathParam, documented } from '../../../platform/common/dto/documented-param.js';
import { IdParam } from '../../../platform/common/dto/params.js';
import { InvalidUrlParam } from '../../../platform/common/errors/common-errors.js';
import { isChannelName } from '../channel.rules.js';

class ChannelNamePipe implements PipeTransform<string, string> {
  constructor(private readonly name: string) {}

  transform(value: string): string {
    if (!isChannelName(value)) throw new InvalidUrlParam(this.name, 'it is no name that a channel can have');
    return value;
  }
}

/** The name of a channel in the path. */
export const ChannelNameParam = (name = 'channel_name'): ParameterDecorator =>
  documented(
    Param(name, new ChannelNamePipe(name)),
    describePathParam(name, {
      description: 'The name of the channel.',
      example: 'town-square',
      schema: { type: 'string', minLength: 1, maxLength: 64 },
    }),
  );

/** The id of a channel in the path. */
export const ChannelIdParam = (): ParameterDecorator => IdParam('channel_id', 'The channel.');
