import { Module } from '@nestjs/common';
import { Declares } from '../../platform/modules/declares.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { Post } from './post.entity.js';
import { ChannelsModule } from '../channels/channels.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { UsersModule } from '../users/users.module.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { IdempotencyService } from './idempotency.service.js';
import { LateCommits } from './late-commits.js';
import { PostsController } from './posts.controller.js';
import { PostChangesRepository } from './post-changes.repository.js';
import { PostChangesService } from './post-changes.service.js';
import { PostContentService } from './post-content.service.js';
import { FlaggedPostsReadModel } from './flagged-posts.read-model.js';
import { PostListsService } from './post-lists.service.js';
import { PostPortionsRepository } from './post-portions.repository.js';
import { PostPermission, PostsPolicy } from './posts.policy.js';
import { PostsRepository } from './posts.repository.js';
import { PostsService } from './posts.service.js';
import { PostSearchReadModel } from './search/post-search.read-model.js';
import { PostSearchService } from './search/post-search.service.js';
import { WordSearchReadModel } from './search/word-search.read-model.js';
import { ServerBot } from './server-bot.js';
import { SystemMessagesListener } from './system-messages.listener.js';
import { ThreadsService } from './threads.service.js';
import { WebhookPostsService } from './webhook/webhook-posts.service.js';
import { PostCompanions } from './writer/write-request.js';
import { PostRowsRepository } from './writer/post-rows.repository.js';
import { CreatePosts1700000000007 } from './migrations/1700000000007-create-posts.js';
import { AddSourceOfPosts1795814000000 } from './migrations/1795814000000-add-source-of-posts.js';
import { PostWriter } from './writer/post-writer.js';
import { PostsSettings } from './posts.settings.js';

/** Stores, reads, changes and searches posts. */
@Module({
  imports: [UsersModule, TeamsModule, ChannelsModule],
  controllers: [PostsController],
  providers: [
    PostWriter,
    PostRowsRepository,
    PostCompanions,
    IdempotencyService,
    IdempotencyRepository,
    PostsService,
    PostContentService,
    WebhookPostsService,
    FlaggedPostsReadModel,
    PostListsService,
    ThreadsService,
    PostChangesService,
    LateCommits,
    PostSearchService,
    PostsPolicy,
    PostPortionsRepository,
    PostsRepository,
    PostChangesRepository,
    PostSearchReadModel,
    WordSearchReadModel,
    ServerBot,
    SystemMessagesListener,
  ],
  exports: [
    PostWriter,
    PostCompanions,
    IdempotencyService,
    PostsService,
    PostContentService,
    WebhookPostsService,
    PostChangesService,
    ServerBot,
  ],
})
@Declares({
  entities: [Post, IdempotencyKey],
  migrations: [CreatePosts1700000000007, AddSourceOfPosts1795814000000],
  permissions: [PostPermission],
  settings: PostsSettings,
  apiGroups: [{ name: 'posts', position: 60, description: 'Write, read, search and pin messages.' }],
})
export class PostsModule {}
