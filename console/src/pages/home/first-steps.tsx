import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { isAdmin, useUser } from '../../app/session';
import { Code } from '../../parts/code';
import { Loaded } from '../../parts/loaded';
import { channelHistory } from '../channels/channel-history';
import { Posts } from '../channels/posts';
import { usePostNews } from '../channels/use-post-news';
import { addressOf, type IncomingHook } from '../incoming/incoming-queries';

/** Number of newest messages shown below the command. */
const SHOWN = 3;

interface FirstStepsProps {
  readonly hooks: readonly IncomingHook[];
  /** Whether the steps were done when the page opened, which collapses them. */
  readonly isDone: boolean;
}

/** Getting started: post with a command and see it appear, call a program, connect another server. */
export function FirstSteps({ hooks, isDone }: FirstStepsProps): ReactNode {
  const [wasDone] = useState(isDone); // keep results visible to a user who just finished
  return (
    <section aria-label="First steps">
      {wasDone ? (
        <details className="again">
          <summary>Show the first steps again</summary>
          <Steps hook={hooks[0]} />
        </details>
      ) : (
        <>
          <h2>First steps</h2>
          <Steps hook={hooks[0]} />
        </>
      )}
    </section>
  );
}

function Steps({ hook }: { readonly hook: IncomingHook | undefined }): ReactNode {
  const mayConnect = isAdmin(useUser());
  return (
    <ol className="steps">
      <li>
        <b>Post a message with a command.</b>
        {hook ? (
          <>
            <p>Copy it into a terminal and run it; the message appears below.</p>
            <Code
              label="the first command"
              secret={hook.id}
              text={`curl -H 'Content-Type: application/json' -d '{"text":"Hello from a webhook"}' ${addressOf(hook.id)}`}
            />
            <Newest channelId={hook.channel_id} />
          </>
        ) : (
          <p>
            <Link to="/incoming">Add an incoming webhook</Link> first.
          </p>
        )}
      </li>
      <li>
        <b>Let a message call a program.</b>
        <p>
          <Link to="/outgoing">Add an outgoing webhook</Link> with a word and the URL of your program, and
          write the word in a <Link to="/channels">channel</Link>.
        </p>
      </li>
      {mayConnect && (
        <li>
          <b>Connect a server.</b>
          <p>
            <Link to="/connections">Invite another server</Link>, and share channels with it.
          </p>
        </li>
      )}
    </ol>
  );
}

function Newest({ channelId }: { readonly channelId: string }): ReactNode {
  const query = channelHistory(channelId);
  const posts = useQuery(query);
  usePostNews(query.queryKey, ({ broadcast }) => broadcast.channel_id === channelId);
  return <Loaded query={posts}>{(found) => <Posts posts={found.posts.slice(-SHOWN)} />}</Loaded>;
}
