import { Injectable } from '@nestjs/common';
import type { Channel } from '../../channels/channel.entity.js';
import { Clock } from '../../../platform/common/clock.js';
import type { JsonObject } from '../../../platform/common/json.js';
import { isDuplicateKey } from '../../../platform/database/database-errors.js';
import { acceptedProps } from '../content/props.js';
import { PostChangesService } from '../post-changes.service.js';
import { PostContentService } from '../post-content.service.js';
import type { Post } from '../post.entity.js';
import { InvalidRoot } from '../posts.errors.js';
import { PostsRepository } from '../posts.repository.js';
import { rootCompanions } from '../posts.service.js';
import { requireValidMessage, requireValidProps, requireValidType } from '../posts.rules.js';
import { sizeOf } from '../writer/draft-size.js';
import { PostWriter } from '../writer/post-writer.js';

/** A post of another server, as it is there now. */
export interface RemotePost {
  readonly id: string;
  readonly userId: string;
  readonly rootId: string;
  readonly message: string;
  readonly type: string;
  readonly props: JsonObject;
  readonly createAt: number;
  readonly editAt: number;
  readonly deleteAt: number;
}

/** The connection a post comes over, and whether another one was an earlier one to the same server. */
export interface PostSource {
  readonly remoteId: string;
  readonly hasReplaced: (remoteId: string) => Promise<boolean>;
}

/** The post belongs to this server, to another connection or to another channel. */
export class ForeignPost extends Error {
  override readonly name = 'ForeignPost';
}

/**
 * Posts of other servers. They keep the id they have there, so that the same post, told twice, is stored once. They
 * trigger nothing.
 */
@Injectable()
export class RemotePostsService {
  constructor(
    private readonly posts: PostsRepository,
    private readonly changes: PostChangesService,
    private readonly content: PostContentService,
    private readonly writer: PostWriter,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes the post here what it is there: new, changed or deleted; in an archived channel as well, as nobody there knows
   * of that. Throws ForeignPost and ValidationFailed.
   */
  async save(source: PostSource, channel: Channel, remote: RemotePost): Promise<void> {
    const known = await this.posts.find(remote.id);
    if (known) return this.change(source, channel, known, remote);
    if (remote.deleteAt > 0) return; // it was never seen here
    try {
      await this.create(source.remoteId, channel, remote);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error; // told twice at the same time
    }
  }

  private async change(source: PostSource, channel: Channel, known: Post, remote: RemotePost): Promise<void> {
    const { remoteId } = known;
    const isTheirs =
      remoteId === source.remoteId || (remoteId !== '' && (await source.hasReplaced(remoteId)));
    if (!isTheirs || known.channelId !== channel.id) throw new ForeignPost();
    if (known.deleteAt > 0) return;
    if (remote.deleteAt > 0) return this.changes.deleteAsRemote(known);
    if (remote.editAt < known.editAt) return; // told late, or again
    const props = acceptedProps(remote.props);
    if (known.message === remote.message && isSame(known.props, props)) return;
    requireValidMessage(remote.message);
    await this.changes.editAsRemote(known, remote.message, props, remote.editAt);
  }

  private async create(remoteId: string, channel: Channel, remote: RemotePost): Promise<void> {
    const { id, userId, message, type, createAt, editAt } = remote;
    requireValidMessage(message);
    requireValidType(type);
    const { id: channelId, teamId, type: channelType } = channel;
    const { props, hashtags, mentions } = await this.content.enrich({
      ...{ teamId, channelId, channelType, authorId: userId, message, type },
      props: acceptedProps(remote.props),
      isHook: false,
    });
    const sizeBytes = sizeOf(message, requireValidProps(props));
    const rootId = await this.rootOf(channelId, remote.rootId);
    if (rootId === null) return;
    const draft = {
      ...{ userId, channelId, message, type, props, hashtags, mentions, rootId },
      createAt: Math.min(createAt || this.clock.now(), this.clock.now()),
      origin: { id, remoteId, editAt },
    };
    const companions = () => rootCompanions(rootId);
    try {
      await this.writer.write({ drafts: [draft], origin: 'remote', sizeBytes, companions });
    } catch (error) {
      if (!(error instanceof InvalidRoot)) throw error; // deleted meanwhile
    }
  }

  /**
   * A thread that began before the channel was shared is not known here: its replies stand for themselves. Null when
   * the thread was deleted here, and the reply with it.
   */
  private async rootOf(channelId: string, rootId: string): Promise<string | null> {
    if (rootId === '') return '';
    const root = await this.posts.find(rootId);
    if (root?.channelId !== channelId || root.rootId !== '') return '';
    return root.deleteAt > 0 ? null : rootId;
  }
}

/** Whether stored props are those that were sent, but for what this server has added to them. */
function isSame(stored: JsonObject, sent: JsonObject): boolean {
  const essence = (props: JsonObject): string => {
    const { mentionHighlightDisabled: _, ...essential } = acceptedProps(props);
    return JSON.stringify(essential);
  };
  return essence(stored) === essence(sent);
}
