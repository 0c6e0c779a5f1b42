import { Injectable } from '@nestjs/common';
import { AppError } from '../../../platform/common/errors/app-error.js';
import { Tracing } from '../../../platform/tracing/tracing.js';
import type { Post } from '../post.entity.js';
import type { WriteRequest } from './write-request.js';

/** Makes a span of the storing of posts, from when they are handed over until they are durable. */
@Injectable()
export class CommitSpans {
  constructor(private readonly tracing: Tracing) {}

  get areMade(): boolean {
    return this.tracing.isOn;
  }

  /** What the posts cause finds the span by their ids: the calls that they trigger belong to it. */
  async around(request: WriteRequest, store: (request: WriteRequest) => Promise<Post[]>): Promise<Post[]> {
    const { tracing } = this;
    const span = tracing.start({
      name: 'commit',
      kind: 'internal',
      parent: tracing.current,
      attributes: { 'hookline.posts': request.drafts.length, 'hookline.origin': request.origin },
    });
    const companions: WriteRequest['companions'] = (postIds) => {
      for (const id of postIds) tracing.remember(id, span.traceparent);
      return request.companions?.(postIds) ?? [];
    };
    try {
      const posts = await store({ ...request, companions });
      span.end();
      return posts;
    } catch (error) {
      span.end(error instanceof AppError ? error.id : 'unexpected');
      throw error;
    }
  }
}
