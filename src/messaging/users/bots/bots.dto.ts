import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { User } from '../user.entity.js';
import { BodyName, NameField, ShownAsRequired, StringField } from '../../../platform/common/dto/fields.js';
import { UserFieldsDto } from '../dto/user.dto.js';

/** A bot in API responses. */
export class BotDto {
  @ApiProperty({ description: 'The id of its account.', example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' })
  user_id: string;
  @ApiProperty({ example: 'deploy-bot' }) username: string;
  @ApiPropertyOptional({ description: 'Absent if empty.', example: 'Deployments' })
  display_name?: string;
  @ApiPropertyOptional({ description: 'Absent if empty.', example: 'Reports each deployment.' })
  description?: string;
  @ApiProperty({
    description: 'The user who manages it; empty for bots of the server.',
    example: 'c1f8zcm5wtd5jfzn8u5fxpbkjr',
  })
  owner_id: string;
  @ApiProperty({ example: 1_700_000_000_000 }) create_at: number;
  @ApiProperty({ example: 1_700_000_000_000 }) update_at: number;
  @ApiProperty({ description: 'Time of disabling; 0: enabled.', example: 0 }) delete_at: number;

  static from(bot: User): BotDto {
    return {
      user_id: bot.id,
      username: bot.username,
      display_name: bot.firstName || undefined,
      description: bot.botDescription || undefined,
      owner_id: bot.botOwnerId,
      create_at: bot.createAt,
      update_at: bot.updateAt,
      delete_at: bot.deleteAt,
    };
  }
}

/** The editable fields of a bot; omitted fields stay unchanged. */
@BodyName('bot')
export class PatchBotDto {
  @StringField({
    description: 'The username, used in mentions; converted to lower case.',
    example: 'deploy-bot',
    maxLength: 64,
  })
  username?: string;
  @NameField({ description: 'Display name.', example: 'Deployments', maxLength: 64 }) display_name?: string;
  @StringField({
    description: 'The purpose of the bot.',
    example: 'Reports each deployment.',
    maxLength: 1024,
  })
  description?: string;
}

export class CreateBotDto extends PatchBotDto {
  @ShownAsRequired() override username: string = '';
}

/** The account that a bot is converted to; omitted fields stay unchanged. */
@BodyName('userPatch')
export class ConvertBotDto extends UserFieldsDto {
  @ShownAsRequired()
  @StringField({ description: 'Password, 8 to 72 bytes.', example: 'correct horse battery', maxLength: 72 })
  password = '';
}
