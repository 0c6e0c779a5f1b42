import { QueryObject } from '../../../platform/common/dto/query-object.js';

export interface CreatePostOptions {
  readonly setOnline: boolean;
}

/** The query of a new post. */
export const CreatePostQuery = (): ParameterDecorator =>
  QueryObject<CreatePostOptions>({
    setOnline: {
      name: 'set_online',
      description: {
        description: 'Whether the author counts as online now.',
        schema: { type: 'boolean', default: true },
      },
      parse: (text = '') => !['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text),
    },
  });
