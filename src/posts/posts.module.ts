import { Module } from '@nestjs/common';
import { IdempotencyRepository } from './idempotency.repository.js';
import { IdempotencyService } from './idempotency.service.js';
import { PostRowsRepository } from './writer/post-rows.repository.js';
import { PostWriter } from './writer/post-writer.js';

/** Messages: the path that stores them, and what people and clients do with them. */
@Module({
  providers: [PostWriter, PostRowsRepository, IdempotencyService, IdempotencyRepository],
  exports: [PostWriter, IdempotencyService],
})
export class PostsModule {}
