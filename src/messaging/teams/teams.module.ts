import { Module } from '@nestjs/common';
import { Declares } from '../../platform/modules/declares.js';
import { TeamMember } from './team-member.entity.js';
import { Team } from './team.entity.js';
import { UsersModule } from '../users/users.module.js';
import { MemberRoles } from './member-roles.js';
import { TeamsController } from './teams.controller.js';
import { TeamMembersController } from './team-members.controller.js';
import { TeamMembersReadModel } from './team-members.read-model.js';
import { TeamMembersRepository } from './team-members.repository.js';
import { TeamMembersService } from './team-members.service.js';
import { TeamsService } from './teams.service.js';
import { TeamScope, TeamsPolicy, TeamPermission } from './teams.policy.js';
import { TeamsSettings } from './teams.settings.js';
import { TeamsRepository } from './teams.repository.js';
import { CreateTeams1700000000005 } from './migrations/1700000000005-create-teams.js';

/** Teams and their members. The channels module creates their default channels, in the same transaction. */
@Module({
  imports: [UsersModule],
  controllers: [TeamsController, TeamMembersController],
  providers: [
    TeamMembersService,
    TeamsService,
    TeamsPolicy,
    TeamsRepository,
    TeamMembersRepository,
    TeamMembersReadModel,
    MemberRoles,
    TeamScope,
  ],
  exports: [TeamsService, TeamMembersService, TeamsPolicy, MemberRoles],
})
@Declares({
  migrations: [CreateTeams1700000000005],
  entities: [Team, TeamMember],
  permissions: [TeamPermission],
  settings: TeamsSettings,
  apiGroups: [{ name: 'teams', position: 80, description: 'Groups of channels and users.' }],
})
export class TeamsModule {}
