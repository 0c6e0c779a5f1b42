import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
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
export const ChannelNameParam = (name: string): ParameterDecorator => Param(name, new ChannelNamePipe(name));

/** Documents the name of a channel in the path. */
export const ApiChannelNameParam = (name: string): MethodDecorator & ClassDecorator =>
  ApiParam({
    name,
    description: 'The name of the channel.',
    example: 'town-square',
    schema: { type: 'string', minLength: 1, maxLength: 64 },
  });
