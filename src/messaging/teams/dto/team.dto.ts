import { ApiProperty } from '@nestjs/swagger';
import type { Team } from '../team.entity.js';
import type { MemberCounts } from '../team-members.read-model.js';

/** A team as it leaves the server (docs/contract/messaging.md#teams). */
export class TeamDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) id: string;
  @ApiProperty({ example: 1_700_000_000_000 }) create_at: number;
  @ApiProperty({ example: 1_700_000_000_000 }) update_at: number;
  @ApiProperty({ description: 'Above 0: archived since.', example: 0 }) delete_at: number;
  @ApiProperty({ example: 'Core team' }) display_name: string;
  @ApiProperty({ example: 'core' }) name: string;
  @ApiProperty({ example: '' }) description: string;
  @ApiProperty({
    description: 'The address of the creator; empty without `manage_team`.',
    example: 'anna@example.com',
  })
  email: string;
  @ApiProperty({ description: '`O` open or `I` by invitation.', enum: ['O', 'I'], example: 'O' })
  type: string;
  @ApiProperty({ example: '' }) company_name: string;
  @ApiProperty({ description: 'Domains of the addresses that may join; empty allows all.', example: '' })
  allowed_domains: string;
  @ApiProperty({ description: 'Empty without `invite_user`.', example: 'm5jtr4cq9bnmx8w1exk7d3azno' })
  invite_id: string;
  @ApiProperty({ description: 'Anyone may see and join the team.', example: false })
  allow_open_invite: boolean;
  @ApiProperty({ type: String, nullable: true, example: null }) scheme_id: string | null;
  @ApiProperty({ type: Boolean, nullable: true, example: null }) group_constrained: boolean | null;
  @ApiProperty({ type: String, nullable: true, example: null }) policy_id: string | null;
  @ApiProperty({ example: false }) cloud_limits_archived: boolean;

  static from(team: Team): TeamDto {
    return {
      id: team.id,
      create_at: team.createAt,
      update_at: team.updateAt,
      delete_at: team.deleteAt,
      display_name: team.displayName,
      name: team.name,
      description: team.description,
      email: team.email,
      type: team.type,
      company_name: team.companyName,
      allowed_domains: team.allowedDomains,
      invite_id: team.inviteId,
      allow_open_invite: team.allowOpenInvite,
      scheme_id: null,
      group_constrained: null,
      policy_id: null,
      cloud_limits_archived: false,
    };
  }
}

/** A page of teams with the number of all of them. */
export class TeamsWithCountDto {
  @ApiProperty({ type: [TeamDto] }) teams: TeamDto[];
  @ApiProperty({ example: 1 }) total_count: number;
}

export class TeamExistsDto {
  @ApiProperty({ description: 'False also when the caller may not know.', example: true }) exists: boolean;
}

/** What a sign-up page shows of a team. */
export class TeamInviteDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) id: string;
  @ApiProperty({ example: 'core' }) name: string;
  @ApiProperty({ example: 'Core team' }) display_name: string;
  @ApiProperty({ example: '' }) description: string;

  static from({ id, name, displayName, description }: Team): TeamInviteDto {
    return { id, name, display_name: displayName, description };
  }
}

export class TeamStatsDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) team_id: string;
  @ApiProperty({ example: 12 }) total_member_count: number;
  @ApiProperty({ description: 'Members whose account is not deactivated.', example: 11 })
  active_member_count: number;

  static from(teamId: string, { members, active }: MemberCounts): TeamStatsDto {
    return { team_id: teamId, total_member_count: members, active_member_count: active };
  }
}
