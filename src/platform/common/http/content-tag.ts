import { createHash, hash, type Hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

const TAG_CHARS = 27;

/**
 * The ETag of a response, derived from its content: it changes with anything the caller would see
 * (docs/contract/conventions.md#responses).
 */
export class ContentTag {
  private parts: Hash | undefined;

  private constructor(private readonly response: ServerResponse) {}

  /** Returns undefined for responses without an ETag; only successful GET and HEAD responses have one. */
  static for(response: ServerResponse): ContentTag | undefined {
    const { method } = response.req;
    if (response.statusCode !== 200 || (method !== 'GET' && method !== 'HEAD')) return undefined;
    return new ContentTag(response);
  }

  /** Adds the next part of the response. */
  update(part: Buffer): void {
    this.parts ??= createHash('sha256');
    this.parts.update(part);
  }

  /** Sets the header from `content` or the parts. Ends with an empty 304 and returns true if it matches. */
  settle(content: string | Buffer = ''): boolean {
    const { response } = this;
    const digest = this.parts?.digest('base64url') ?? hash('sha256', content, 'base64url');
    const tag = digest.slice(0, TAG_CHARS);
    response.setHeader('ETag', `"${tag}"`);
    if (!names(response.req.headers['if-none-match'], tag)) return false;
    response.statusCode = 304;
    response.removeHeader('Content-Type');
    response.end();
    return true;
  }
}

/** Whether If-None-Match names the tag; weak and strong ones compare alike (RFC 9110, 13.1.2). */
function names(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(',')
    .map((known) => known.trim().replace(/^W\//, ''))
    .some((known) => known === '*' || known === `"${tag}"`);
}
