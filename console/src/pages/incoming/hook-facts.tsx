import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { Badge } from '../../parts/badge';
import { ChannelLink } from '../../parts/channel-link';
import { FaultNote } from '../../parts/fault-note';
import { Time } from '../../parts/time';
import { useUsernames } from '../../parts/usernames';
import { describeRefusal } from './describe-refusal';
import { FORMATS } from './formats';
import {
  addressOf,
  type IncomingHook,
  keptCalls,
  rocketChatAddressOf,
  slackAddressOf,
} from './incoming-queries';
import { ReplaceVerifierSecret } from './replace-verifier-secret';
import { SecretUrl } from './secret-url';
import { describeVerifier } from './verifiers';

type Call = Schemas['KeptRequestDto'];

interface HookFactsProps {
  readonly hook: IncomingHook;
  /** Refused calls, latest first. */
  readonly refused: readonly Call[];
}

/** The settings of a webhook, and when it was used. */
export function HookFacts({ hook, refused }: HookFactsProps): ReactNode {
  const nameOf = useUsernames([hook.user_id]);
  return (
    <dl className="facts">
      <dt>Posts to</dt>
      <dd>
        <ChannelLink teamId={hook.team_id} channelId={hook.channel_id} />{' '}
        {hook.channel_locked && <Badge tone="quiet">locked</Badge>}
      </dd>
      <dt>Owner</dt>
      <dd>{nameOf(hook.user_id)}</dd>
      <dt>URL</dt>
      <dd>
        <SecretUrl url={addressOf(hook.id)} secret={hook.id} label="URL" />
      </dd>
      {hook.slack_path !== '' && (
        <>
          <dt>Slack URL</dt>
          <dd>
            <SecretUrl url={slackAddressOf(hook.slack_path)} secret={hook.slack_path} label="Slack URL" />
          </dd>
        </>
      )}
      {hook.rocketchat_path !== '' && (
        <>
          <dt>Rocket.Chat URL</dt>
          <dd>
            <SecretUrl
              url={rocketChatAddressOf(hook.rocketchat_path)}
              secret={hook.rocketchat_path}
              label="Rocket.Chat URL"
            />
          </dd>
        </>
      )}
      <dt>Proof</dt>
      <dd>
        <Proof hook={hook} />
      </dd>
      <dt>Format</dt>
      <dd>{FORMATS[hook.format].title}</dd>
      <dt>Limit</dt>
      <dd>
        {hook.rate_limit === 0 ? (
          <span className="muted">that of the server</span>
        ) : (
          `${hook.rate_limit.toLocaleString()} calls per minute`
        )}
      </dd>
      <dt>Expires</dt>
      <dd>
        <Time at={hook.expires_at} isInText />
      </dd>
      <dt>Last used</dt>
      <dd>
        <Time at={hook.last_used} isInText />
      </dd>
      <dt>Last refused</dt>
      <dd>
        <LastRefused refused={refused} hookId={hook.id} />
      </dd>
      <dt>Created</dt>
      <dd>
        <Time at={hook.create_at} isInText />
      </dd>
    </dl>
  );
}

/** What a caller needs besides the URL. */
function Proof({ hook }: { readonly hook: IncomingHook }): ReactNode {
  const { verifier } = hook;
  if (!verifier) return <span className="muted">none: anyone who knows the URL can post</span>;
  return (
    <>
      {describeVerifier(verifier)}
      <div className="muted">The URL alone is not enough to post.</div>
      {verifier.type !== 'ip' && <ReplaceVerifierSecret hook={hook} verifier={verifier} />}
    </>
  );
}

interface LastRefusedProps {
  readonly hookId: string;
  readonly refused: readonly Call[];
}

function LastRefused({ hookId, refused: [last] }: LastRefusedProps): ReactNode {
  const { data, error } = useQuery(keptCalls(hookId));
  if (!data) return error && <FaultNote error={error} />;
  return last ? (
    <>
      <Time at={last.create_at} isInText />: {describeRefusal(last.message)}
    </>
  ) : (
    <span className="muted">none</span>
  );
}
