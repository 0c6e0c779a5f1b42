import { IdParam } from '../../platform/common/dto/params.js';

/** The id of a webhook in the path. */
export const HookIdParam = (): ParameterDecorator => IdParam('hook_id', 'The webhook.');
