import { ApiProperty } from '@nestjs/swagger';
import { BodyName, IdField, StringField } from '../../platform/common/dto/fields.js';
import type { ExplanationPage } from './explain.service.js';
import type { Explanation, NotFiringReason } from './trigger-index.js';

/** A hypothetical message. */
@BodyName('explain')
export class ExplainDto {
  @IdField({ required: true, description: 'The channel.', example: 'gqsr16q5bj8ikq9dsu7mzp3acy' })
  channel_id: string;
  @StringField({ required: true, description: 'At most 16383 characters.', example: 'please !deploy now' })
  message: string;
}

type Reason = NotFiringReason | 'trigger_matches' | 'every_post' | 'partly_left_out';

const SENTENCES: Readonly<Record<Reason, string>> = {
  trigger_matches: 'One of its trigger words matches the message.',
  every_post: 'It has no trigger words and fires on every post of its channel.',
  other_channel: 'It watches another channel.',
  archived_channel: 'The channel or its team is archived: nothing can be posted there.',
  private_channel: 'It watches the public channels of its team; this one is private.',
  creator_cannot_read:
    'It is paused: the channel is private, and whoever created the webhook cannot read it.',
  setter_cannot_read:
    'It is paused: the channel is private, and whoever last set the channel or URLs of the webhook cannot read it.',
  orphaned: 'It is paused: whoever created it is deactivated or has left the team.',
  no_trigger_matches: 'None of its trigger words matches the message.',
  disabled: 'It would fire but is switched off: its deliveries are cancelled until it is enabled.',
  message_limit: 'It would fire, but the message triggers too many calls; those of older webhooks are made.',
  partly_left_out: 'It fires, but not at all its callback URLs, because the message triggers too many calls.',
};
const REASONS = Object.keys(SENTENCES);

/** Whether one webhook would fire on the message, and why. */
class HookExplanationDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) hook_id: string;
  @ApiProperty({ example: 'Deployments' }) display_name: string;
  @ApiProperty({ example: true }) fires: boolean;
  @ApiProperty({
    description: 'The first of its trigger words that matches, as the payload would tell it; else empty.',
    example: 'deploy',
  })
  trigger_word: string;
  @ApiProperty({ description: 'Why; for programs.', enum: REASONS, example: 'trigger_matches' })
  reason: string;
  @ApiProperty({ description: 'Why; for people.', example: SENTENCES.trigger_matches }) explanation: string;

  static from({ hook, word, silentBecause, isCut }: Explanation): HookExplanationDto {
    const fires = hook.triggerWords.length > 0 ? 'trigger_matches' : 'every_post';
    const reason: Reason = silentBecause ?? (isCut === true ? 'partly_left_out' : fires);
    return {
      hook_id: hook.id,
      display_name: hook.displayName,
      fires: silentBecause === undefined,
      trigger_word: word ?? '',
      reason,
      explanation: SENTENCES[reason],
    };
  }
}

/** Which of the team's webhooks would fire on the message. */
export class ExplanationDto {
  @ApiProperty({ type: [HookExplanationDto], description: 'One page: first those that fire, then the rest.' })
  hooks: HookExplanationDto[];
  @ApiProperty({ description: 'How many webhooks were asked, on all pages.', example: 1 })
  total_count: number;
  @ApiProperty({ description: 'How many of them fire.', example: 1 }) firing_count: number;

  static from({ explanations, totalCount, firingCount }: ExplanationPage): ExplanationDto {
    return {
      hooks: explanations.map((explanation) => HookExplanationDto.from(explanation)),
      total_count: totalCount,
      firing_count: firingCount,
    };
  }
}
