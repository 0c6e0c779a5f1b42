import { Param, type PipeTransform } from '@nestjs/common';
import { describePathParam, documented } from '../../../platform/common/dto/documented-param.js';
import { IdParam } from '../../../platform/common/dto/params.js';
import { InvalidUrlParam } from '../../../platform/common/errors/common-errors.js';
import { isTeamName } from '../team.rules.js';

class TeamNamePipe implements PipeTransform<string, string> {
  constructor(private readonly name: string) {}

  transform(value: string): string {
    if (!isTeamName(value)) throw new InvalidUrlParam(this.name, 'it is no name that a team can have');
    return value;
  }
}

/** The name of a team in the path. */
export const TeamNameParam = (name = 'team_name'): ParameterDecorator =>
  documented(
    Param(name, new TeamNamePipe(name)),
    describePathParam(name, {
      description: 'The name of the team.',
      example: 'main',
      schema: { type: 'string', minLength: 2, maxLength: 64 },
    }),
  );

/** The id of a team in the path. */
export const TeamIdParam = (): ParameterDecorator => IdParam('team_id', 'The team.');
