import { Module } from '@nestjs/common';
import { PostRowsRepository } from './writer/post-rows.repository.js';
import { PostWriter } from './writer/post-writer.js';

/** Messages: the path that stores them, and what people and clients do with them. */
@Module({
  providers: [PostWriter, PostRowsRepository],
  exports: [PostWriter],
})
export class PostsModule {}
