import { Module } from '@nestjs/common';
import { Declares } from '../../platform/modules/declares.js';
import { TeamMember } from './team-member.entity.js';
import { Team } from './team.entity.js';
import { UsersModule } from '../users/users.module.js';
import { MemberRoles } from './member-roles.js';
import { SignUpListener, TeamMemberAccountListener } from './sign-up.listener.js';
import { TeamsController } from './teams.controller.js';
import { TeamMembersController } from './team-members.controller.js';
import { TeamMembersReadModel } from './team-members.read-model.js';
import { TeamMembersRepository } from './team-members.repository.js';
import { TeamMembersService } from './team-members.service.js';
import { TeamMemberRecords } from './team-member-records.js';
import { TeamsService } from './teams.service.js';
import { TeamScope, TeamsPolicy } from './teams.policy.js';
import { TeamsSettings } from './teams.settings.js';
import { TeamsRepository } from './teams.repository.js';
import { TeamPowers } from './team-powers.js';
import { TeamRecords } from './team-records.js';
import { TeamPermission } from './teams.permissions.js';
import { CreateTeams1700000000005 } from './migrations/1700000000005-create-teams.js';

/** Teams and their members. The channels module creates their default channels, in the same transaction. */
@Module({
  imports: [UsersModule],
  controllers: [TeamsController, TeamMembersController],
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
  migrations: [CreateTeams1700000000005],
  entities: [Team, TeamMember],
  permissions: [TeamPermission],
  settings: TeamsSettings,
})
export class TeamsModule {}
