import { Injectable } from '@nestjs/common';
import { In, type SelectQueryBuilder } from 'typeorm';
import { type RowColumn, rowColumns } from '../../platform/database/select-rows.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Post } from './post.entity.js';

const MIB = 1024 * 1024;
/** Maximum size of a list's posts as JSON. A single post is always read; it is at most 3.3 MiB. */
export const MAX_LIST_BYTES = 10 * MIB;
/** Maximum size of the thread roots sent along with a list. */
export const MAX_ROOTS_BYTES = 4 * MIB;
/** Maximum size of a thread's replies; the requested post and the root are sent in addition. */
export const MAX_REPLIES_BYTES = 8 * MIB;

const CONTENT = ['message', 'props', 'metadata'] as const;
const FRAME_BYTES = 1_000;
const CONTENT_SIZE = CONTENT.map((column) => `OCTET_LENGTH(post.${column})`).join(' + ');
/** Size as JSON: props and metadata are stored as JSON, and hashtags need no escaping. */
const SIZE = `${FRAME_BYTES} + OCTET_LENGTH(JSON_QUOTE(post.message)) + OCTET_LENGTH(post.props) + OCTET_LENGTH(post.metadata)
  + OCTET_LENGTH(post.hashtags) + 6 * OCTET_LENGTH(post.pending_post_id)`;

/** Large posts are read in groups of this size, so that other requests can run in between. */
const READ_BYTES = MIB;

const NO_CONTENT = { message: '', props: {}, metadata: {} } as const;

/** The posts of a list that fit into its maximum size. */
export interface Portion {
  readonly posts: readonly Post[];
  /** The following posts, without their content. */
  readonly rest: readonly Pick<Post, 'id' | 'updateAt'>[];
}

/** A post and its size. If `isWhole` is false, the content has not been read yet. */
export interface SizedPost {
  readonly post: Post;
  readonly sizeBytes: number;
  readonly isWhole: boolean;
}

interface SizedRow extends Record<string, unknown> {
  readonly sizeBytes: number | string;
  readonly message: string | null;
}

/**
 * Reads lists of posts up to a maximum size, since a single post can take megabytes. A first query reads
 * posts without the content of large ones; a second reads the content of large posts that fit.
 */
@Injectable()
export class PostPortionsRepository {
  private selected: string | undefined;
  private known: readonly RowColumn[] | undefined;

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Runs a query with the alias `post`, which must be limited to `rows` rows. */
  async read(query: SelectQueryBuilder<Post>, rows: number, maxBytes = MAX_LIST_BYTES): Promise<Portion> {
    return this.complete(await this.sized(query, rows, maxBytes), maxBytes);
  }

  /** Like `read`, but skips the content of large deleted posts and does not count their size. */
  async readChanges(
    query: SelectQueryBuilder<Post>,
    rows: number,
    maxBytes = MAX_LIST_BYTES,
  ): Promise<Portion> {
    const sized = await this.sized(query, rows, maxBytes);
    return this.complete(
      sized.map((one) =>
        one.post.deleteAt === 0 || one.isWhole
          ? one
          : { post: { ...one.post, ...NO_CONTENT }, sizeBytes: 0, isWhole: true },
      ),
      maxBytes,
    );
  }

  /** The first step of `read`, for callers that filter or sort the posts before `complete`. */
  async sized(
    query: SelectQueryBuilder<Post>,
    rows: number,
    maxBytes = MAX_LIST_BYTES,
  ): Promise<SizedPost[]> {
    const share = Math.floor(maxBytes / Math.max(rows, 1));
    const found = await query.select(this.select).setParameters({ share }).getRawMany<SizedRow>();
    return found.map((row) => this.sizedPost(row));
  }

  /** The second step of `read`: reads missing content of the posts that fit. */
  async complete(sized: readonly SizedPost[], maxBytes = MAX_LIST_BYTES): Promise<Portion> {
    const count = countFitting(sized, maxBytes);
    const fitting = sized.slice(0, count);
    for (const few of inReads(fitting.filter(({ isWhole }) => !isWhole))) await this.fill(few);
    return {
      posts: fitting.map(({ post }) => post),
      rest: sized.slice(count).map(({ post }) => post),
    };
  }

  private async fill(posts: readonly Post[]): Promise<void> {
    const byId = new Map(posts.map((post) => [post.id, post]));
    const contents = await this.unitOfWork.manager.find(Post, {
      select: { id: true, message: true, props: true, metadata: true },
      where: { id: In([...byId.keys()]) },
    });
    for (const { id, message, props, metadata } of contents)
      Object.assign(byId.get(id) ?? {}, { message, props, metadata });
  }

  /** Selects the columns of the entity without hydration. Leaves out large content. */
  private get select(): string {
    return (this.selected ??= this.columns
      .map(({ property, column, alias }) =>
        isContent(property)
          ? `CASE WHEN ${CONTENT_SIZE} <= :share THEN post.${column} END AS ${alias}`
          : `post.${column} AS ${alias}`,
      )
      .concat(`${SIZE} AS ${this.unitOfWork.manager.dataSource.driver.escape('sizeBytes')}`)
      .join(', '));
  }

  private get columns(): readonly RowColumn[] {
    return (this.known ??= rowColumns(this.unitOfWork.manager.dataSource, Post));
  }

  private sizedPost(row: SizedRow): SizedPost {
    const isWhole = row.message !== null;
    if (!isWhole) Object.assign(row, NO_CONTENT);
    for (const { property, convert } of this.columns)
      if (convert && (isWhole || !isContent(property))) row[property] = convert(row[property]);
    return { post: row as unknown as Post, sizeBytes: Number(row.sizeBytes), isWhole };
  }
}

const isContent = (property: string): boolean => CONTENT.some((name) => name === property);

/** Counts how many leading posts fit; the first one always does. */
export function countFitting(sized: readonly SizedPost[], maxBytes = MAX_LIST_BYTES): number {
  let left = maxBytes;
  let count = 0;
  for (const { sizeBytes } of sized) {
    left -= sizeBytes;
    if (left < 0 && count > 0) break;
    count++;
  }
  return count;
}

/** Groups posts up to READ_BYTES; larger posts are read one by one. */
function* inReads(sized: readonly SizedPost[]): Generator<Post[]> {
  let posts: Post[] = [];
  let size = 0;
  for (const { post, sizeBytes } of sized) {
    if (posts.length > 0 && size + sizeBytes > READ_BYTES) {
      yield posts;
      [posts, size] = [[], 0];
    }
    posts.push(post);
    size += sizeBytes;
  }
  if (posts.length > 0) yield posts;
}
