import { IdParam } from '../../../platform/common/dto/params.js';

/** The id of a post in the path. */
export const PostIdParam = (): ParameterDecorator => IdParam('post_id', 'The id of the post.');
