import { Injectable } from '@nestjs/common';
import { In, type SelectQueryBuilder } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Post } from './post.entity.js';

/** What the posts of one list take at most, by their messages, props and metadata; a single post is always read. */
export const MAX_LIST_BYTES = 16 * 1024 * 1024;

const CONTENT = ['message', 'props', 'metadata'] as const;
const SIZE = CONTENT.map((column) => `OCTET_LENGTH(post.${column})`).join(' + ');

const NOTHING = { message: '', props: {}, metadata: {} } as const;

/** Posts in the order of reading, as far as they fit. */
export interface Portion {
  readonly posts: readonly Post[];
  /** Those behind them that do not; their content is missing. */
  readonly rest: readonly Pick<Post, 'id' | 'updateAt'>[];
}

/** A post and what it takes. The content of a big one is read only once it is known to fit. */
export interface SizedPost {
  readonly post: Post;
  readonly sizeBytes: number;
  readonly isWhole: boolean;
}

/** The columns beside the entity's; the content of a big post is null. */
interface SizedRow {
  readonly size_bytes: number | string;
  readonly content_message: string;
  readonly content_props: string;
  readonly content_metadata: string;
}

/**
 * Reads lists of posts whose size is bounded in bytes, as one post may take megabytes. Posts of the usual size come with
 * the first statement, which leaves out the content of those that take more than their share.
 */
@Injectable()
export class PostPortionsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The query selects from `post` and gives `rows` rows at most. */
  async read(query: SelectQueryBuilder<Post>, rows: number, maxBytes = MAX_LIST_BYTES): Promise<Portion> {
    return this.complete(await this.sized(query, rows, maxBytes), maxBytes);
  }

  /** As `read`, but of deleted posts that are big nothing is left: they are told of, and take no room. */
  async readChanges(query: SelectQueryBuilder<Post>, rows: number): Promise<Portion> {
    const sized = await this.sized(query, rows);
    return this.complete(
      sized.map((one) =>
        one.post.deleteAt === 0 || one.isWhole
          ? one
          : { post: { ...one.post, ...NOTHING }, sizeBytes: 0, isWhole: true },
      ),
    );
  }

  /** The first half of `read`, for those who choose among the posts before they are complete. */
  async sized(
    query: SelectQueryBuilder<Post>,
    rows: number,
    maxBytes = MAX_LIST_BYTES,
  ): Promise<SizedPost[]> {
    const share = Math.floor(maxBytes / Math.max(rows, 1));
    query.select(this.smallColumns()).addSelect(SIZE, 'size_bytes').setParameter('share', share);
    for (const column of CONTENT)
      query.addSelect(`CASE WHEN ${SIZE} <= :share THEN post.${column} END`, `content_${column}`);
    const { entities, raw } = await query.getRawAndEntities<SizedRow>();
    return entities.map((post, index) => {
      const row = raw[index];
      const isWhole = row !== undefined && Number(row.size_bytes) <= share;
      if (isWhole) Object.assign(post, contentOf(row));
      return { post, sizeBytes: Number(row?.size_bytes), isWhole };
    });
  }

  /** The posts as far as they fit, with their content. */
  async complete(sized: readonly SizedPost[], maxBytes = MAX_LIST_BYTES): Promise<Portion> {
    let left = maxBytes;
    let count = 0;
    for (const { sizeBytes } of sized) {
      left -= sizeBytes;
      if (left < 0 && count > 0) break;
      count++;
    }
    const fitting = sized.slice(0, count);
    await this.fill(fitting.filter(({ isWhole }) => !isWhole).map(({ post }) => post));
    return {
      posts: fitting.map(({ post }) => post),
      rest: sized.slice(count).map(({ post }) => post),
    };
  }

  private async fill(posts: readonly Post[]): Promise<void> {
    if (posts.length === 0) return;
    const contents = await this.unitOfWork.manager.find(Post, {
      select: { id: true, message: true, props: true, metadata: true },
      where: { id: In(posts.map((post) => post.id)) },
    });
    const byId = new Map(
      contents.map(({ id, message, props, metadata }) => [id, { message, props, metadata }]),
    );
    for (const post of posts) Object.assign(post, byId.get(post.id));
  }

  private smallColumns(): string[] {
    const { columns } = this.unitOfWork.manager.dataSource.getMetadata(Post);
    const names = columns.map((column) => column.propertyName);
    return names.filter((name) => !CONTENT.some((column) => column === name)).map((name) => `post.${name}`);
  }
}

function contentOf(row: SizedRow): Pick<Post, (typeof CONTENT)[number]> {
  return {
    message: row.content_message,
    props: JSON.parse(row.content_props) as Post['props'],
    metadata: JSON.parse(row.content_metadata) as Post['metadata'],
  };
}
