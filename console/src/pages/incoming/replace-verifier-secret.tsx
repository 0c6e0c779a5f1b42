import { Checkbox } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { queries } from '../../app/services';
import { DialogButton } from '../../parts/dialog-button';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { OldSecret } from '../outgoing/replace-secret';
import type { IncomingHook } from './incoming-queries';
import { SecretField } from './verifier-fields';
import { choiceOf, secretLabel } from './verifiers';

interface ReplaceVerifierSecretProps {
  readonly hook: IncomingHook;
  readonly verifier: Schemas['VerifierDto'];
}

/** Replaces the secret of a verifier, and shows how long the old one is valid. */
export function ReplaceVerifierSecret({ hook, verifier }: ReplaceVerifierSecretProps): ReactNode {
  const { previous_secret_expires_at: until } = verifier;
  return (
    <div className="row">
      <DialogButton label="Replace the secret" title="Replace the secret" kind="small">
        {(close) => <NewSecret hook={hook} verifier={verifier} onDone={close} />}
      </DialogButton>
      {until > Date.now() && (
        <span>
          The old secret is still valid <OldSecret until={until} />
        </span>
      )}
    </div>
  );
}

interface NewSecretProps extends ReplaceVerifierSecretProps {
  readonly onDone: () => void;
}

function NewSecret({ hook, verifier, onDone }: NewSecretProps): ReactNode {
  const [secret, setSecret] = useState('');
  const [isOldKept, setOldKept] = useState(true);
  const label = secretLabel(choiceOf(verifier)) ?? '';
  const replace = async (): Promise<void> => {
    await answerOf(
      api.PATCH('/api/v4/hooks/incoming/{hook_id}', {
        params: { path: { hook_id: hook.id } },
        body: { verifier: { ...verifier, secret, rotate: isOldKept } },
      }),
    );
    await queries.invalidateQueries({ queryKey: ['incoming', hook.id], exact: true });
    onDone();
  };
  return (
    <Form action="Replace" onSubmit={replace}>
      <SecretField label={label} mayGenerate={label === 'Secret'} value={secret} onChange={setSecret} />
      <Field
        label="Accept the old one too, until the sender has the new one"
        hint={isOldKept ? 'The page then shows until when.' : 'The old one is invalid at once.'}
      >
        <Checkbox checked={isOldKept} onChange={({ target }) => setOldKept(target.checked)} />
      </Field>
    </Form>
  );
}
