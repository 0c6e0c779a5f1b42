import { Injectable } from '@nestjs/common';
import type { Page } from '../../platform/common/dto/params.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { ChannelMember } from '../channels/channel-member.entity.js';
import { Channel } from '../channels/channel.entity.js';
import { Preference } from '../users/preference.entity.js';
import { type Portion, PostPortionsRepository } from './post-portions.repository.js';
import { Post } from './post.entity.js';

/** Limits saved posts to a channel, or to a team with its direct and group channels. Ignores empty IDs. */
export interface FlaggedFilter {
  readonly teamId: string;
  readonly channelId: string;
}

/** Reads a user's saved posts, which clients store as preferences in the category `flagged_post`. */
@Injectable()
export class FlaggedPostsReadModel {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly portions: PostPortionsRepository,
  ) {}

  /** Returns saved posts in channels the user is a member of, newest first. */
  list(userId: string, { teamId, channelId }: FlaggedFilter, { offset, perPage }: Page): Promise<Portion> {
    const query = this.unitOfWork.manager
      .getRepository(Post)
      .createQueryBuilder('post')
      .innerJoin(
        Preference,
        'flag',
        "flag.userId = :userId AND flag.category = 'flagged_post' AND flag.value = 'true' AND flag.name = post.id",
        { userId },
      )
      .innerJoin(ChannelMember, 'm', 'm.channelId = post.channelId AND m.userId = :userId')
      .where('post.deleteAt = 0');
    if (channelId !== '') query.andWhere('post.channelId = :channelId', { channelId });
    if (teamId !== '')
      query.innerJoin(Channel, 'c', "c.id = post.channelId AND (c.teamId = :teamId OR c.teamId = '')", {
        teamId,
      });
    query.orderBy('post.seq', 'DESC').addOrderBy('post.id', 'DESC').offset(offset).limit(perPage);
    return this.portions.read(query, perPage);
  }
}
