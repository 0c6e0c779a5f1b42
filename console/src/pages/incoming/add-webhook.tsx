import {
  Alert,
  Button,
  Code,
  Group,
  Loader,
  ScrollArea,
  SimpleGrid,
  Stepper,
  Text,
  TextInput,
  Timeline,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconCircleCheck, IconCircleX, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Avatar } from '../../parts/avatar';
import { ChannelLink } from '../../parts/channel-link';
import { Copy } from '../../parts/copy';
import { Form } from '../../parts/form';
import { OwnerField } from '../../parts/owner-field';
import { randomText } from '../../parts/random-text';
import { useIsTeamAdmin } from '../../parts/team-admin';
import { Time } from '../../parts/time';
import { describeRefusal } from './describe-refusal';
import { bodyOf, CallFields, GeneralFields, MessageFields, valuesOf } from './hook-fields';
import { addressOf, type HookProps, incomingHook, isRefusal, keptCalls } from './incoming-queries';
import { FORMATS, SENDERS, settingsFor, type Setup, setupOf } from './senders';
import { VerifierFields } from './verifier-fields';
import { draftOf, type VerifierDraft, verifierChange } from './verifiers';

interface Created extends HookProps {
  readonly secret: string;
}

/** Creates a webhook step by step: what sends, where its messages go, and how to connect the sender. */
export function AddWebhook({ teamId }: { readonly teamId: string }): ReactNode {
  const [sender, setSender] = useState('');
  const [created, setCreated] = useState<Created | null>(null);
  const navigate = useNavigate();
  const step = created ? 2 : sender === '' ? 0 : 1;
  const open = (hookId: string): void => void navigate({ to: '/incoming/$hookId', params: { hookId } });
  return (
    <Stepper active={step} size="xs" iconSize={24} wrap={false} onStepClick={() => setSender('')}>
      <Stepper.Step label="Sender" allowStepSelect={step === 1}>
        <SenderPicker onPick={setSender} />
      </Stepper.Step>
      <Stepper.Step label="Channel" allowStepSelect={false}>
        <NewHookForm teamId={teamId} sender={sender} onCreated={setCreated} />
      </Stepper.Step>
      <Stepper.Step label="First call" allowStepSelect={false}>
        {created && (
          <>
            <Connect hook={created.hook} sender={sender} secret={created.secret} />
            <Button mt="md" onClick={() => open(created.hook.id)}>
              Open the webhook
            </Button>
          </>
        )}
      </Stepper.Step>
    </Stepper>
  );
}

function SenderPicker({ onPick }: { readonly onPick: (sender: string) => void }): ReactNode {
  const [term, setTerm] = useState('');
  const isFound = ([sender, [title]]: [string, Setup]): boolean =>
    sender === 'template' || title.toLowerCase().includes(term.trim().toLowerCase());
  return (
    <>
      <TextInput
        type="search"
        mb="sm"
        data-autofocus
        aria-label="Search senders"
        placeholder="What sends? Search for a program or service"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={term}
        onChange={({ target }) => setTerm(target.value)}
      />
      <ScrollArea.Autosize mah="50vh">
        <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="xs">
          {Object.entries(SENDERS)
            .filter(isFound)
            .map(([sender, [title]]) => (
              <Button
                key={sender}
                variant="default"
                justify="start"
                h={44}
                px="xs"
                leftSection={<Avatar name={title} />}
                onClick={() => onPick(sender)}
              >
                {title}
              </Button>
            ))}
        </SimpleGrid>
      </ScrollArea.Autosize>
    </>
  );
}

interface NewHookFormProps {
  readonly teamId: string;
  readonly sender: string;
  readonly onCreated: (created: Created) => void;
}

function NewHookForm({ teamId, sender, onCreated }: NewHookFormProps): ReactNode {
  const [title, , , , origin] = setupOf(sender);
  const { verifier: choice, ...settings } = settingsFor(sender);
  const form = useForm({ initialValues: { ...valuesOf(), ...settings } });
  const [verifier, setVerifier] = useState<VerifierDraft>({
    choice,
    fields: {},
    secret: choice && randomText(32),
  });
  const [owner, setOwner] = useState('');
  const mayChooseOwner = useIsTeamAdmin(teamId);
  const create = async (): Promise<void> => {
    const body = {
      ...bodyOf(form),
      ...verifierChange(draftOf(null), verifier),
      ...(owner !== '' && { user_id: owner }),
    };
    const hook = await answerOf(api.POST('/api/v4/hooks/incoming', { body }));
    await queries.invalidateQueries({ queryKey: ['incoming'] });
    onCreated({ hook, secret: verifier.secret });
  };
  return (
    <Form action="Create webhook" onSubmit={create}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <div>
          <GeneralFields form={form} teamId={teamId} />
        </div>
        <div>
          <VerifierFields draft={verifier} onChange={setVerifier} />
        </div>
      </SimpleGrid>
      {origin === 'issued' && verifier.choice === '' && (
        <p className="muted">{title} issues its secret once it has the URL. Turn on verification then.</p>
      )}
      <details className="more-fields">
        <summary>More</summary>
        <MessageFields form={form} />
        {mayChooseOwner && (
          <OwnerField
            {...{ field: 'user_id', teamId, userId: owner, onChange: setOwner }}
            hint="In private channels, it can post only where its owner can."
          />
        )}
        <CallFields form={form} />
      </details>
    </Form>
  );
}

const POLL_MS = 2_000;

interface ConnectProps extends HookProps {
  readonly sender: string;
  /** The new secret, which only the dialog that created the webhook knows. */
  readonly secret?: string;
}

/** How to set up the sender of a webhook, until its first call arrives. */
export function Connect({ hook, sender, secret = '' }: ConnectProps): ReactNode {
  const [title, place, addressField, secretField, origin] = setupOf(sender);
  const url = addressOf(hook.id);
  return (
    <>
      <Title order={2} mb="md">
        Connect {sender === 'mattermost' || sender === 'template' ? 'the sender' : title}
      </Title>
      <Timeline bulletSize={22} lineWidth={2} active={-1}>
        <Timeline.Item bullet={1} title="Open its settings">
          <Text size="sm">{place}</Text>
          <Text size="xs" c="dimmed">
            {FORMATS[hook.format][1]}
          </Text>
        </Timeline.Item>
        <Timeline.Item bullet={2} title={`Paste this as “${addressField}”`}>
          <Group gap="xs" wrap="nowrap">
            <Code style={{ overflowWrap: 'anywhere' }}>{url.replace(hook.id, '••••••••••••')}</Code>
            <Copy text={url} label="Copy the webhook URL" />
          </Group>
        </Timeline.Item>
        {secretField !== undefined && (
          <Timeline.Item bullet={3} title={secretTitle(secretField, origin, secret)}>
            {secret === '' ? (
              <Link to="/incoming/$hookId" params={{ hookId: hook.id }} search={{ tab: 'security' }}>
                {hook.verifier ? 'Replace the secret' : 'Turn on verification'}
              </Link>
            ) : (
              <Group gap="xs">
                <Code>••••••••••••</Code>
                <Copy text={secret} label="Copy the secret" />
              </Group>
            )}
          </Timeline.Item>
        )}
      </Timeline>
      <FirstCall hook={hook} />
    </>
  );
}

function secretTitle(field: string, origin: string | undefined, secret: string): string {
  if (secret !== '') return `Paste this as “${field}”`;
  return origin === 'issued' ? `Copy the “${field}” that it shows` : `“${field}” is that of this webhook`;
}

/** Waits for the first call, and shows how it went. */
function FirstCall({ hook }: HookProps): ReactNode {
  const { data: { last_used: usedAt } = hook } = useQuery({
    ...incomingHook(hook.id),
    refetchInterval: ({ state }) => (state.data?.last_used ? false : POLL_MS),
  });
  const { data: calls = [] } = useQuery(keptCalls(hook.id));
  const refused = calls.find(isRefusal);
  if (usedAt > 0)
    return (
      <Alert color="green" icon={<IconCircleCheck aria-hidden />} mt="md" role="status">
        The first call arrived <Time at={usedAt} isInText />. Its message is in{' '}
        <ChannelLink teamId={hook.team_id} channelId={hook.channel_id} />.
      </Alert>
    );
  if (refused)
    return (
      <Alert color="red" icon={<IconCircleX aria-hidden />} mt="md" role="status">
        A call was refused <Time at={refused.create_at} isInText />: {describeRefusal(refused.message)}
      </Alert>
    );
  return (
    <Alert color="gray" icon={<Loader size="xs" aria-hidden />} mt="md" role="status">
      Waiting for the first call…
    </Alert>
  );
}
