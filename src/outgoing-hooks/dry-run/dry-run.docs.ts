import type { OperationOptions } from '../../platform/common/dto/operation.js';
import { DryRunDto } from './dry-run.dto.js';
import { MAX_TRIED_POSTS } from './dry-run.service.js';
import { TryNewOutgoingHookDto } from './try-new-outgoing-hook.dto.js';
import { TryOutgoingHookDto } from './try-outgoing-hook.dto.js';

const HOW = `It is tried on the last ${MAX_TRIED_POSTS} messages of one channel, as they read now, by the code that decides for new ones. Nothing is sent, stored or changed.`;

/** What the API description says of the operations. */
export const DOCS = {
  tryOutgoingWebhook: {
    summary: 'Tell on which messages an outgoing webhook would fire after a change',
    description: `Beside those on which it fires now. ${HOW} What a PATCH refuses is refused here too.`,
    body: {
      type: TryOutgoingHookDto,
      examples: {
        words: { summary: 'Other trigger words', value: { trigger_words: ['!deploy', '!rollback'] } },
        start: {
          summary: 'One of a whole team, at the start of messages only',
          value: { trigger_when: 1, in_channel_id: 'gqsr16q5bj8ikq9dsu7mzp3acy' },
        },
      },
    },
    ok: DryRunDto,
    errors: [404, 501],
  },
  tryNewOutgoingWebhook: {
    summary: 'Tell on which messages a new outgoing webhook would fire',
    description: `For a webhook that is about to be made. ${HOW} What the creation refuses of these fields is refused here too.`,
    body: {
      type: TryNewOutgoingHookDto,
      examples: {
        short: {
          summary: 'In one channel',
          value: {
            team_id: 'm4agnt8dxtywdgcmo9nwx5kk8w',
            channel_id: 'gqsr16q5bj8ikq9dsu7mzp3acy',
            trigger_words: ['!deploy'],
          },
        },
      },
    },
    ok: DryRunDto,
    errors: [404, 501],
  },
} satisfies Record<string, OperationOptions>;
