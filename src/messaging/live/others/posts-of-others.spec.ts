import { FakeBus } from '../../../../test/fakes/bus.js';
import { unitOfWorkWithoutDatabase } from '../../../../test/support/unit-of-work.js';
import { DatabaseUnavailable } from '../../../platform/common/errors/common-errors.js';
import type { ChangeLog } from '../../../platform/database/changes/change-log.js';
import type { Post } from '../../posts/post.entity.js';
import { type CreatedPost, PostDeleted, PostEdited, PostsCreated } from '../../posts/posts.events.js';
import type { PostsService } from '../../posts/posts.service.js';
import type { PostEventsListener } from '../listeners/post-events.listener.js';
import type { LiveEventsService } from '../live-events.service.js';
import { LiveLimits } from '../live-limits.js';
import { PostsOfOthers } from './posts-of-others.js';

const rowOf = (id: string, seq: number, more: Partial<Post> = {}): Post =>
  ({ id, seq, channelId: 'heard', deleteAt: 0, props: {}, ...more }) as Post;
const createdOf = (post: Post): CreatedPost => ({ post, origin: 'user', setOnline: true });

describe('posts of other processes', () => {
  let sender: FakeBus;
  let others: PostsOfOthers;
  let rows: Post[];
  let told: string[];
  let reads: (readonly string[])[];
  let failures: Error[];
  let reconnects: number;
  const limits = new LiveLimits();

  beforeEach(() => {
    const [here, there] = FakeBus.connect('here', 'there') as [FakeBus, FakeBus];
    sender = here;
    [rows, told, reads, failures, reconnects] = [[], [], [], [], 0];
    const live = {
      hasConnections: true,
      channelsWithListeners: (ids: ReadonlySet<string>) =>
        Promise.resolve(new Set([...ids].filter((id) => id === 'heard'))),
      reconnectAll: () => reconnects++,
    };
    const posts = {
      listAny: (ids: readonly string[]) => {
        const failure = failures.shift();
        if (failure) return Promise.reject(failure);
        reads.push(ids);
        return Promise.resolve(rows.filter(({ id }) => ids.includes(id)));
      },
    };
    const listener = {
      onPostsCreated: ({ created }: PostsCreated) =>
        told.push(`posted ${created.map(({ post }) => post.id).join()}`),
      onPostEdited: ({ post }: PostEdited) => told.push(`edited ${post.id}`),
      onPostDeleted: ({ post, deletedBy }: PostDeleted) =>
        told.push(`deleted ${JSON.stringify([post.id, post.deleteAt, post.props, deletedBy])}`),
    };
    const open = (bus: FakeBus): PostsOfOthers =>
      new PostsOfOthers(
        bus,
        { onLost: () => undefined } as unknown as ChangeLog,
        live as unknown as LiveEventsService,
        listener as unknown as PostEventsListener,
        posts as unknown as PostsService,
        unitOfWorkWithoutDatabase(),
        limits,
      );
    others = open(here);
    open(there);
  });

  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  };

  it('are read by id in one statement, and announced in channel order', async () => {
    rows = [rowOf('a', 2), rowOf('b', 1), rowOf('c', 3)];
    others.onPostsCreated(new PostsCreated([createdOf(rowOf('a', 2))]));
    others.onPostsCreated(new PostsCreated([createdOf(rowOf('b', 1))]));
    others.onPostEdited(new PostEdited(rowOf('b', 1)));
    others.onPostsCreated(new PostsCreated([createdOf(rowOf('c', 3))]));
    await settle();
    expect(sender.sent).toHaveLength(1);
    expect(reads).toEqual([['a', 'b', 'c']]);
    expect(told).toEqual(['posted b,a', 'edited b', 'posted c']);
  });

  it('are announced as they were before their deletion, and skipped if their rows are gone', async () => {
    rows = [rowOf('a', 1, { deleteAt: 5, props: { color: 'red', deleteBy: 'anna' } })];
    others.onPostsCreated(new PostsCreated([createdOf(rowOf('a', 1)), createdOf(rowOf('b', 2))]));
    others.onPostEdited(new PostEdited(rowOf('a', 1)));
    others.onPostDeleted(new PostDeleted(rowOf('a', 1), 'anna', []));
    await settle();
    expect(told).toEqual(['deleted ["a",0,{"color":"red"},"anna"]']);
  });

  it('are not read if no client is in the channel', async () => {
    others.onPostsCreated(new PostsCreated([createdOf(rowOf('a', 1, { channelId: 'silent' }))]));
    await settle();
    expect(reads.flat()).toEqual([]);
    expect(told).toEqual([]);
  });

  it('are announced when the database is back', async () => {
    rows = [rowOf('a', 1), rowOf('b', 2)];
    failures = [new DatabaseUnavailable(new Error('away'))];
    others.onPostsCreated(new PostsCreated([createdOf(rowOf('a', 1))]));
    await settle();
    others.onPostsCreated(new PostsCreated([createdOf(rowOf('b', 2))]));
    while (told.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(told).toEqual(['posted a,b']);
    expect(reconnects).toBe(0);
  });

  it('make all clients reconnect if there are too many', async () => {
    const many = Array.from({ length: limits.maxQueuedEvents + 1 }, (_, i) => createdOf(rowOf(`${i}`, i)));
    others.onPostsCreated(new PostsCreated(many));
    await settle();
    expect(reconnects).toBe(1);
    expect(reads).toEqual([]);
  });
});
