import { Injectable } from '@nestjs/common';
import type { Post } from './post.entity.js';
import { PostsRepository } from './posts.repository.js';

/** Sets `replyCount` of replies to that of their thread root (docs/contract/messaging.md#posts). */
@Injectable()
export class ThreadSizesService {
  constructor(private readonly posts: PostsRepository) {}

  /** Returns the posts with their counts. Reads thread roots missing from both lists in one query. */
  async fill(posts: readonly Post[], known: readonly Post[] = []): Promise<Post[]> {
    const sizes = new Map<string, number>();
    for (const { id, rootId, replyCount } of [...known, ...posts])
      if (rootId === '') sizes.set(id, replyCount);
    const missing = new Set(posts.map((post) => post.rootId).filter((id) => id !== '' && !sizes.has(id)));
    for (const root of await this.posts.threadSizes([...missing])) sizes.set(root.id, root.replyCount);
    return posts.map((post) =>
      post.rootId === '' ? post : { ...post, replyCount: sizes.get(post.rootId) ?? post.replyCount },
    );
  }

  async fillOne(post: Post): Promise<Post> {
    const [filled = post] = await this.fill([post]);
    return filled;
  }
}
