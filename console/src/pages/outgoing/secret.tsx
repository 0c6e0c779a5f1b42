import { Button, Group, SegmentedControl } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Code } from '../../parts/code';
import { Copy } from '../../parts/copy';
import { DialogButton } from '../../parts/dialog-button';
import { Facts } from '../../parts/facts';
import type { OutgoingHook } from './outgoing-queries';
import { OldSecret, ReplaceSecret } from './replace-secret';
import { Section } from './section';
import { VERIFIERS } from './verifiers';

/** A webhook's token and signing secret, shown on demand, and how to verify signatures. */
export function Secret({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const [isShown, setShown] = useState(false);
  const [language, setLanguage] = useState('Node.js');
  const Icon = isShown ? IconEyeOff : IconEye;
  const secret = (name: string, value: string): ReactNode => (
    <Group gap={4}>
      <code>{isShown ? value : '••••••••••••'}</code>
      <Copy text={value} label={`Copy ${name}`} />
    </Group>
  );
  return (
    <>
      <Section title="Secrets">
        <Facts
          of={{
            'Signing secret': secret('signing secret', hook.signing_secret),
            Token: secret('token', hook.token),
            'The old secret still signs': hook.previous_secret_until > Date.now() && (
              <OldSecret until={hook.previous_secret_until} />
            ),
          }}
        />
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<Icon size={14} aria-hidden />}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? 'Hide' : 'Show'}
          </Button>
          <DialogButton label="Replace" title="Replace the secrets">
            {(close) => <ReplaceSecret hookId={hook.id} onDone={close} />}
          </DialogButton>
        </Group>
      </Section>
      <Section
        title="Verify the signature"
        description="Calls are signed as Standard Webhooks specifies; most languages have a library for it. Without one:"
        aside={
          <SegmentedControl
            size="xs"
            aria-label="Language"
            data={Object.keys(VERIFIERS)}
            value={language}
            onChange={setLanguage}
          />
        }
      >
        <Code label="the check" text={VERIFIERS[language] ?? ''} />
      </Section>
    </>
  );
}
