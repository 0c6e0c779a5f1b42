import { IdParam, PathParam } from '../../../platform/common/dto/params.js';
import { InvalidUrlParam } from '../../../platform/common/errors/common-errors.js';
import { isTeamName } from '../team.rules.js';

/** The name of a team in the path. */
export const TeamNameParam = (): ParameterDecorator =>
  PathParam(
    'team_name',
    {
      description: 'The name of the team.',
      example: 'main',
      schema: { type: 'string', minLength: 2, maxLength: 64 },
    },
    (value) => {
      const name = value.trim().toLowerCase();
      if (isTeamName(name)) return name;
      throw new InvalidUrlParam('team_name', 'it is no name that a team can have');
    },
  );

/** The id of a team in the path. */
export const TeamIdParam = (): ParameterDecorator => IdParam('team_id', 'The team.');
