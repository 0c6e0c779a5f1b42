import { IdParam, PathParam } from '../../../platform/common/dto/params.js';
import { InvalidUrlParam } from '../../../platform/common/errors/common-errors.js';
import { isChannelName } from '../channel.rules.js';

/** The name of a channel in the path. */
export const ChannelNameParam = (): ParameterDecorator =>
  PathParam(
    'channel_name',
    {
      description: 'The name of the channel.',
      example: 'town-square',
      schema: { type: 'string', minLength: 1, maxLength: 64 },
    },
    (value) => {
      const name = value.trim().toLowerCase();
      if (isChannelName(name)) return name;
      throw new InvalidUrlParam('channel_name', 'it is no name that a channel can have');
    },
  );

/** The id of a channel in the path. */
export const ChannelIdParam = (): ParameterDecorator => IdParam('channel_id', 'The channel.');
