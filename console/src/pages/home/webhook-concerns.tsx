import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Endpoint, type EndpointHook, standingOfEndpoint, whyOf } from '../endpoints/endpoint-queries';
import { type OutgoingHook, describePause, standingOf } from '../outgoing/outgoing-queries';
import type { Concern } from './concern';

/** If more webhooks than this fail at an endpoint, they are reported as one entry for the endpoint. */
const MAX_NAMED = 3;

/** Failing outgoing webhooks, each listed once: by failing endpoint, or else by other failures. */
export function webhookConcerns(endpoints: readonly Endpoint[], hooks: readonly OutgoingHook[]): Concern[] {
  const faulty = endpoints.filter(({ state }) => state !== 'ok');
  const [shared, single] = [faulty.filter(isShared), faulty.filter((found) => !isShared(found))];
  const named = new Set(faulty.flatMap((found) => faultyHooksOf(found).map(({ id }) => id)));
  const own = new Map(single.flatMap((found) => faultyHooksOf(found).map((hook) => [hook.id, hook])));
  return [
    ...shared.map(ofEndpoint),
    ...[...own.values()].map((hook) =>
      ofHookAt(
        hook,
        single.filter((found) => calls(hook, found)),
      ),
    ),
    ...hooks.filter((hook) => !named.has(hook.id) && standingOf(hook).tone !== 'good').map(ofHook),
  ];
}

const faultyHooksOf = ({ hooks }: Endpoint): readonly EndpointHook[] =>
  hooks.filter(({ state }) => state !== 'ok');

const isShared = (found: Endpoint): boolean => {
  const { length } = faultyHooksOf(found);
  return length === 0 || length > MAX_NAMED;
};

/** If only one webhook fails, the endpoint's reason applies to it; otherwise it may be another's. */
const isOfOne = (found: Endpoint): boolean => faultyHooksOf(found).length === 1;

const calls = ({ id }: EndpointHook, found: Endpoint): boolean =>
  faultyHooksOf(found).some((hook) => hook.id === id);

function ofEndpoint(found: Endpoint): Concern {
  const { tone, text } = standingOfEndpoint(found);
  return {
    ...{ key: found.endpoint, tone, state: text, at: found.since },
    title: <EndpointLink endpoint={found.endpoint} />,
    text: whyOf(found),
  };
}

/** A webhook with the endpoints where its calls fail. */
function ofHookAt({ id, display_name: name, state, since }: EndpointHook, at: readonly Endpoint[]): Concern {
  const { tone, text } = standingOfEndpoint({ state });
  return {
    ...{ key: id, tone, state: text, at: since },
    title: <HookLink hookId={id} name={name} />,
    text: at.map((found) => (
      <div key={found.endpoint}>
        <EndpointLink endpoint={found.endpoint} />
        {isOfOne(found) && found.reason !== '' && <>: {found.reason}</>}
      </div>
    )),
  };
}

function ofHook(hook: OutgoingHook): Concern {
  const { tone, text } = standingOf(hook);
  const urls = [...hook.disabled_urls, ...hook.failing_urls].join(', ');
  return {
    ...{ key: hook.id, tone, state: text, at: hook.disabled_at },
    title: <HookLink hookId={hook.id} name={hook.display_name} />,
    text: hook.disabled_reason || describePause(hook.paused_reason) || urls,
  };
}

const EndpointLink = ({ endpoint }: Pick<Endpoint, 'endpoint'>): ReactNode => (
  <Link to="/endpoints/details" search={{ endpoint }}>
    {endpoint}
  </Link>
);

const HookLink = ({ hookId, name }: { readonly hookId: string; readonly name: string }): ReactNode => (
  <Link to="/outgoing/$hookId" params={{ hookId }}>
    {name || 'Unnamed'}
  </Link>
);
