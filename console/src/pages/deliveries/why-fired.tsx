import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { outgoingHook } from '../outgoing/outgoing-queries';
import type { DeliveryDetail } from './delivery-queries';

/** Why the message fired the webhook: the stored trigger word, and the webhook's current rule. */
export function WhyFired({ found }: { readonly found: DeliveryDetail }): ReactNode {
  const { data: hook } = useQuery(outgoingHook(found.hook_id));
  const word = found.payload['trigger_word'];
  if (typeof word !== 'string') return null;
  return (
    <>
      <h2>Why it fired</h2>
      <p>
        {word === '' ? (
          'The webhook fires on every message in its channel.'
        ) : (
          <>
            The message has the trigger word <code>{word}</code>
            {hook && RULES[hook.trigger_when]}.
          </>
        )}
        {hook && word !== '' && !hook.trigger_words.includes(word) && (
          <> The webhook no longer has this word.</>
        )}
        {hook && word === '' && hook.trigger_words.length > 0 && <> Trigger words were added since then.</>}
      </p>
    </>
  );
}

const RULES = {
  0: ', which may appear anywhere in it',
  1: ', at its beginning, as the webhook requires',
  2: ' as its first word, as the webhook requires',
} as const;
