import { BodyName, ShownAsRequired, NameField, StringField } from '../../../../platform/common/dto/fields.js';
import { UserFieldsDto } from '../../dto/write-user.dto.js';

/** What a bot may be given; what is absent stays. */
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

/** The account that a bot becomes; what is absent stays. */
@BodyName('userPatch')
export class ConvertBotDto extends UserFieldsDto {
  @ShownAsRequired()
  @StringField({ description: 'Password, 8 to 72 bytes.', example: 'correct horse battery', maxLength: 72 })
  password = '';
}
