import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { live, queries } from '../../app/services';
import { Code } from '../../parts/code';
import { channelPosts, inOrder } from '../channels/channel-queries';
import { Posts } from '../channels/posts';
import { addressOf, type IncomingHook } from '../incoming/incoming-queries';

interface FirstStepsProps {
  readonly teamId: string;
  readonly hooks: readonly IncomingHook[];
  readonly isDone: boolean;
}

/** On a new server: post by a command and see it appear, let a message call a program, connect another server. */
export function FirstSteps({ hooks, isDone }: FirstStepsProps): ReactNode {
  const [hook] = hooks;
  useEffect(
    () =>
      live.listen(({ event }) => {
        if (event === 'posted') void queries.invalidateQueries({ queryKey: ['posts'] });
      }),
    [],
  );
  return (
    <section aria-label="First steps">
      <h2>{isDone ? 'Try it again' : 'First steps'}</h2>
      <ol className="steps">
        <li>
          <b>Post a message by a command.</b>
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
            <Link to="/outgoing">Add an outgoing webhook</Link> with a word and the address of your program,
            and write the word in a <Link to="/channels">channel</Link>.
          </p>
        </li>
        <li>
          <b>Connect a server.</b>
          <p>
            <Link to="/connections">Invite another server</Link>, and share channels with it.
          </p>
        </li>
      </ol>
    </section>
  );
}

function Newest({ channelId }: { readonly channelId: string }): ReactNode {
  const { data } = useQuery(channelPosts(channelId));
  const posts = data ? inOrder(data).slice(-3) : [];
  return <Posts posts={posts} />;
}
