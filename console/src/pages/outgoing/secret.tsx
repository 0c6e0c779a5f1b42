import { OneOf } from '../../parts/one-of';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Code } from '../../parts/code';
import { Copy } from '../../parts/copy';
import { Modal } from '../../parts/modal';
import type { OutgoingHook } from './outgoing-queries';
import { OldSecret, ReplaceSecret } from './replace-secret';
import { VERIFIERS } from './verifiers';

/** A webhook's token and signing secret, shown on demand, and how to verify signatures. */
export function Secret({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const [isShown, setShown] = useState(false);
  const [isReplacing, setReplacing] = useState(false);
  const [language, setLanguage] = useState('Node.js');
  const close = (): void => setReplacing(false);
  return (
    <>
      <dl className="facts">
        <Hidden name="Signing secret" value={hook.signing_secret} isShown={isShown} />
        <Hidden name="Token" value={hook.token} isShown={isShown} />
        {hook.previous_secret_until > Date.now() && (
          <>
            <dt>The old secret still signs</dt>
            <dd>
              <OldSecret until={hook.previous_secret_until} />
            </dd>
          </>
        )}
      </dl>
      <div className="actions">
        <Button variant="default" size="xs" onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide' : 'Show'}
        </Button>
        <Button variant="default" size="xs" onClick={() => setReplacing(true)}>
          Replace
        </Button>
      </div>
      <h2>Check the signature</h2>
      <p className="muted">
        Calls are signed as Standard Webhooks specifies; most languages have a library for it. Without one:
      </p>
      <div className="row">
        <OneOf
          aria-label="Language"
          size="xs"
          choices={Object.keys(VERIFIERS)}
          value={language}
          onChange={setLanguage}
        />
      </div>
      <Code label="the check" text={VERIFIERS[language] ?? ''} />
      <Modal title="Replace the secrets" isOpen={isReplacing} onClose={close}>
        <ReplaceSecret hookId={hook.id} onDone={close} />
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
