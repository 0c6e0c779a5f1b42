import { PathParam } from '../../platform/common/dto/params.js';
import { RouteNotFound } from '../../platform/common/errors/common-errors.js';
import { isAlphanumeric } from '../../platform/common/ids.js';

/** The webhook ID in the path. Other characters miss the route; an ID of another length is unknown. */
export const HookIdParam = (): ParameterDecorator =>
  PathParam('id', 'The id of the webhook.', (value) => {
    if (isAlphanumeric(value)) return value;
    throw new RouteNotFound('/hooks/:id');
  });
