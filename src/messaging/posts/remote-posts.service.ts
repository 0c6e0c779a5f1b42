import { Injectable } from '@nestjs/common';
import type { Channel } from '../channels/channel.entity.js';
import { Clock } from '../../platform/common/clock.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { remoteProps } from './content/props.js';
import { PostContentService } from './post-content.service.js';
import type { Post } from './post.entity.js';
import { InvalidRoot } from './posts.errors.js';
import { requireValidMessage, requireValidProps, requireValidType } from './posts.rules.js';
import { PostsRepository } from './posts.repository.js';
import { sizeOf } from './writer/write-request.js';
import { PostWriter } from './writer/post-writer.js';

/** A post from another server, received over the connection `remoteId`. `userId` is a local account. */
export type NewRemotePost = Pick<
  Post,
  'id' | 'remoteId' | 'userId' | 'rootId' | 'message' | 'type' | 'props' | 'createAt' | 'editAt'
>;

/** Stores posts from other servers. They keep their IDs and do not trigger webhooks. */
@Injectable()
export class RemotePostsService {
  constructor(
    private readonly posts: PostsRepository,
    private readonly content: PostContentService,
    private readonly writer: PostWriter,
    private readonly clock: Clock,
  ) {}

  /** Stores a post unless its ID is taken or its thread is deleted. Throws ValidationFailed. */
  async create(channel: Channel, post: NewRemotePost, connection: string): Promise<void> {
    const { id, remoteId, userId, message, type, createAt, editAt } = post;
    requireValidMessage(message);
    requireValidType(type);
    const { id: channelId, teamId, type: channelType } = channel;
    const { props, hashtags, mentions } = await this.content.enrich({
      ...{ teamId, channelId, channelType, authorId: userId, message, type },
      props: remoteProps(post.props, connection),
      isHook: false,
    });
    const sizeBytes = sizeOf(message, requireValidProps(props));
    const rootId = await this.rootOf(channelId, post.rootId);
    if (rootId === null) return;
    const now = this.clock.now();
    const draft = {
      ...{ userId, channelId, message, type, props, hashtags, mentions, rootId },
      createAt: Math.min(createAt || now, now),
      origin: { id, remoteId, editAt: Math.min(editAt, now) },
    };
    try {
      await this.writer.write({ drafts: [draft], origin: 'remote', sizeBytes });
    } catch (error) {
      if (!(error instanceof InvalidRoot) && !isDuplicateKey(error)) throw error;
    }
  }

  /**
   * Returns the `rootId` to store. Empty if the thread is unknown, e.g. because it began before the channel
   * was shared; null if it was deleted here and the reply must not be stored.
   */
  private async rootOf(channelId: string, rootId: string): Promise<string | null> {
    if (rootId === '') return '';
    const root = await this.posts.find(rootId);
    if (root?.channelId !== channelId || root.rootId !== '') return '';
    return root.deleteAt > 0 ? null : rootId;
  }
}
