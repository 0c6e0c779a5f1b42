type Headers = Readonly<Record<string, string>>;

/** The headers of a caller with those of the client. */
export function withOwnHeaders(headers: Headers): Record<string, string> {
  return { ...headers, 'accept-encoding': 'gzip, deflate, br' };
}

/** A request of which all but the content of its body is known. */
export interface PastRequest {
  readonly url: string;
  /** Of the caller. */
  readonly headers: Headers;
  /** Undefined if it is not to be told. */
  readonly bodyBytes: number | undefined;
}

/**
 * The headers that a request had on the wire, in their order. `connection` is not among them: it depends on what else was
 * called at that moment.
 */
export function sentHeaders({ url, headers, bodyBytes }: PastRequest): Record<string, string> {
  return {
    host: new URL(url).host,
    ...withOwnHeaders(headers),
    ...(bodyBytes === undefined ? {} : { 'content-length': String(bodyBytes) }),
  };
}
