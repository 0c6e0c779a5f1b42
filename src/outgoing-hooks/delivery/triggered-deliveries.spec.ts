import type { DeliveriesService } from '../../delivery/dispatch/deliveries.service.js';
import type { CreatedPost } from '../../messaging/posts/posts.events.js';
import { type CompanionSource, PostCompanions } from '../../messaging/posts/writer/write-request.js';
import { TeamTriggers } from '../matching/team-triggers.js';
import { TriggerIndex } from '../matching/trigger-index.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { TriggeredDeliveries } from './triggered-deliveries.js';

const CHANNEL = { id: 'c', teamId: 't', type: 'O', deleteAt: 0, name: 'town-square' };
const HOOK: Partial<OutgoingHook> = {
  id: 'h',
  channelId: '',
  triggerWords: ['deploy'],
  triggerWhen: 0,
  callbackUrls: ['http://receiver.example/'],
  disabledAt: 0,
  disabledUrls: [],
};

/** A companion source for a team with these hooks; the rows it builds are collected in `built`. */
function companionsOf(hooks: readonly Partial<OutgoingHook>[], built: unknown[]): CompanionSource {
  const found = <T>(value: T) => ({ find: () => Promise.resolve(value) }) as never;
  const triggers = new TeamTriggers(hooks as OutgoingHook[]);
  const cache = { peek: () => triggers } as never;
  const companions = new PostCompanions();
  const deliveries: Partial<DeliveriesService> = {
    build: (delivery) => {
      built.push(delivery);
      return delivery as never;
    },
    companionsOf: () => [],
  };
  new TriggeredDeliveries(
    companions,
    new TriggerIndex(
      cache,
      { refusalIn: () => Promise.resolve(undefined) } as never,
      { isArchived: () => Promise.resolve(false) } as never,
    ),
    deliveries as DeliveriesService,
    found(CHANNEL),
    found({ name: 'main' }),
    found({ username: 'ada' }),
    { enableOutgoingWebhooks: true, outgoingPerMessage: 500, outgoingBytesPerMessage: 4_000_000 } as never,
  ).onModuleInit();
  return (created) => companions.of(created);
}

const posts = (...messages: string[]): CreatedPost[] =>
  messages.map((message, index) => {
    const post = { id: `p${index}`, channelId: 'c', userId: 'u', type: '', message };
    return { post, origin: 'user' } as unknown as CreatedPost;
  });

describe('the deliveries of new posts', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each([1, 200])('normalises each post once, with %p hooks', async (count) => {
    const hooks = Array.from({ length: count }, (_, index) => ({ ...HOOK, id: `h${index}` }));
    const built: unknown[] = [];
    const source = companionsOf(hooks, built);
    await source(posts('builds the index'));
    const normalize = jest.spyOn(String.prototype, 'normalize');
    await source(posts('please deploy', 'nothing'));
    expect(built).toHaveLength(count);
    expect(normalize).toHaveBeenCalledTimes(2);
  });
});
