import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Code } from '../../parts/code';
import { Countdown } from '../../parts/countdown';
import { Copy } from '../../parts/copy';
import { Form } from '../../parts/form';
import { Modal } from '../../parts/modal';
import type { OutgoingHook } from './outgoing-queries';
import { VERIFIERS } from './verifiers';

/** The token and the signing secret of a webhook, shown on demand, and how a receiver checks a signature. */
export function Secret({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const [isShown, setShown] = useState(false);
  const [isReplacing, setReplacing] = useState(false);
  const [language, setLanguage] = useState('Node.js');
  const replace = async (): Promise<void> => {
    await answerOf(
      api.POST('/api/v4/hooks/outgoing/{hook_id}/regen_token', { params: { path: { hook_id: hook.id } } }),
    );
    await queries.invalidateQueries({ queryKey: ['outgoing', hook.id] });
    setReplacing(false);
  };
  return (
    <>
      <dl className="facts">
        <Hidden name="Signing secret" value={hook.signing_secret} isShown={isShown} />
        <Hidden name="Token" value={hook.token} isShown={isShown} />
        {hook.previous_secret_until > Date.now() && (
          <>
            <dt>The old secret signs as well</dt>
            <dd>
              <Countdown until={hook.previous_secret_until} before="for" over="no more" />
            </dd>
          </>
        )}
      </dl>
      <div className="actions">
        <button onClick={() => setShown(!isShown)}>{isShown ? 'Hide' : 'Show'}</button>
        <button onClick={() => setReplacing(true)}>Replace</button>
      </div>
      <h2>Check the signature</h2>
      <div className="row">
        <select aria-label="Language" value={language} onChange={({ target }) => setLanguage(target.value)}>
          {Object.keys(VERIFIERS).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      <Code label="the check" text={VERIFIERS[language] ?? ''} />
      <Modal title="Replace the secrets?" isOpen={isReplacing} onClose={() => setReplacing(false)}>
        <Form action="Replace" onSubmit={replace} isDangerous>
          <p>
            Receivers need the new ones. The old token is gone at once; the old signing secret signs calls as
            well for a while, which is counted down here.
          </p>
        </Form>
      </Modal>
    </>
  );
}

interface HiddenProps {
  readonly name: string;
  readonly value: string;
  readonly isShown: boolean;
}

function Hidden({ name, value, isShown }: HiddenProps): ReactNode {
  return (
    <>
      <dt>{name}</dt>
      <dd className="row">
        <code>{isShown ? value : '••••••••••••'}</code>
        <Copy text={value} label={`Copy ${name.toLowerCase()}`} />
      </dd>
    </>
  );
}
