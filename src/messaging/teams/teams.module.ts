import { Module } from '@nestjs/common';
import { Declares } from '../../platform/modules/declares.js';
import { TeamMember } from './team-member.entity.js';
import { Team } from './team.entity.js';
import { UsersModule } from '../users/users.module.js';
import { MemberRoles } from './member-roles.js';
import { TeamMemberAccountListener } from './member-account.listener.js';
import { SignUpListener } from './sign-up.listener.js';
import { TeamAccessController } from './team-access.controller.js';
import { TeamJoinsController } from './team-joins.controller.js';
import { TeamLookupController } from './team-lookup.controller.js';
import { TeamMemberRolesController } from './team-member-roles.controller.js';
import { TeamMembersController } from './team-members.controller.js';
import { TeamMembersReadModel } from './team-members.read-model.js';
import { TeamMembersRepository } from './team-members.repository.js';
import { TeamMembersService } from './team-members.service.js';
import { TeamMemberRecords } from './team-member-records.js';
import { TeamsService } from './teams.service.js';
import { TeamScope } from './team.scope.js';
import { TeamsSettings } from './teams.settings.js';
import { TeamsController } from './teams.controller.js';
import { TeamsPolicy } from './teams.policy.js';
import { TeamsRepository } from './teams.repository.js';
import { TeamPowers } from './team-powers.js';
import { TeamRecords } from './team-records.js';
import { UserTeamsController } from './user-teams.controller.js';
import { TeamPermission } from './teams.permissions.js';
import { AddTeamCreators1795351259103 } from './migrations/1795351259103-add-team-creators.js';
import { OrderTeams1795380103001 } from './migrations/1795380103001-order-teams.js';

/** Teams and their members. The channels module creates their default channels, in the same transaction. */
@Module({
  imports: [UsersModule],
  controllers: [
    TeamLookupController,
    TeamsController,
    TeamAccessController,
    TeamJoinsController,
    TeamMembersController,
    TeamMemberRolesController,
    UserTeamsController,
  ],
  providers: [
    TeamRecords,
    TeamMembersService,
    TeamMemberRecords,
    TeamsService,
    TeamsPolicy,
    TeamsRepository,
    TeamMembersRepository,
    TeamMembersReadModel,
    MemberRoles,
    SignUpListener,
    TeamMemberAccountListener,
    TeamScope,
    TeamPowers,
  ],
  exports: [TeamRecords, TeamPowers, TeamMembersService, TeamsPolicy, MemberRoles],
})
@Declares({
  migrations: [AddTeamCreators1795351259103, OrderTeams1795380103001],
  entities: [Team, TeamMember],
  permissions: [TeamPermission],
  settings: TeamsSettings,
})
export class TeamsModule {}
