import { BodyName, IdField } from '../../../platform/common/dto/fields.js';

/** Where a user is typing. */
@BodyName('typing_request')
export class TypingDto {
  @IdField({ description: 'The channel that the user writes in.', example: 'k4tdzcm5wtd5jfzn8u5fxpbkjr' })
  channel_id = '';
  @IdField({ description: 'The post that the user replies to; may be empty.', example: '' }) parent_id = '';
}
