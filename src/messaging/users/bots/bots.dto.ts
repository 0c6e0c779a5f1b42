import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { User } from '../user.entity.js';
import { BodyName, NameField, ShownAsRequired, StringField } from '../../../platform/common/dto/fields.js';
import { UserFieldsDto } from '../dto/user.dto.js';

/** A bot in API responses. */
export class BotDto {
  @ApiProperty({ description: 'The id of its account.', example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' })
  user_id: string;
  @ApiProperty({ example: 'deploy-bot' }) username: string;
  @ApiPropertyOptional({ description: 'Left out while empty.', example: 'Deployments' })
  display_name?: string;
  @ApiPropertyOptional({ description: 'Left out while empty.', example: 'Tells of each deployment.' })
  description?: string;
  @ApiProperty({
    description: 'Who manages it; empty for those of the server itself.',
    example: 'c1f8zcm5wtd5jfzn8u5fxpbkjr',
  })
  owner_id: string;
  @ApiProperty({ example: 1_700_000_000_000 }) create_at: number;
  @ApiProperty({ example: 1_700_000_000_000 }) update_at: number;
  @ApiProperty({ description: 'Above 0: disabled since.', example: 0 }) delete_at: number;

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
    description: 'Name to be mentioned by; capitals become small letters.',
    example: 'deploy-bot',
    maxLength: 64,
  })
  username?: string;
  @NameField({ description: 'Name to show.', example: 'Deployments', maxLength: 64 }) display_name?: string;
  @StringField({ description: 'What it is for.', example: 'Tells of each deployment.', maxLength: 1024 })
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
