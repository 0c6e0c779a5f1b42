import { Agent, request as httpRequest } from 'node:http';

export interface Answer<T = any> {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  /** The parsed body if it is JSON, otherwise undefined. */
  readonly body: T;
  readonly text: string;
}

export interface RequestOptions {
  readonly headers?: Record<string, string>;
  /** Bytes or text to send as is instead of a JSON body. */
  readonly raw?: string | Buffer;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** A plain HTTP client on `node:http`. With `socketPath` it connects to that Unix socket instead of `base`. */
export class ApiClient {
  constructor(
    private readonly base: string,
    readonly token = '',
    private readonly socketPath?: string,
  ) {}

  as(token: string): ApiClient {
    return new ApiClient(this.base, token, this.socketPath);
  }

  get<T = any>(path: string, options?: RequestOptions): Promise<Answer<T>> {
    return this.send('GET', path, undefined, options);
  }
  post<T = any>(path: string, body?: unknown, options?: RequestOptions): Promise<Answer<T>> {
    return this.send('POST', path, body, options);
  }
  put<T = any>(path: string, body?: unknown, options?: RequestOptions): Promise<Answer<T>> {
    return this.send('PUT', path, body, options);
  }
  patch<T = any>(path: string, body?: unknown, options?: RequestOptions): Promise<Answer<T>> {
    return this.send('PATCH', path, body, options);
  }
  delete<T = any>(path: string, body?: unknown, options?: RequestOptions): Promise<Answer<T>> {
    return this.send('DELETE', path, body, options);
  }

  /** `path` starts with `/` and is relative to `/api/v4` unless it is `/api…`, `/hooks/{id}`, `/health…` or `/metrics`. */
  async send<T>(
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ): Promise<Answer<T>> {
    const payload = options.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const target = /^\/(api\/|health\/|metrics|hooks\/(?!incoming|outgoing))/.test(path)
      ? path
      : `/api/v4${path}`;
    const url = new URL(this.base);
    return new Promise((resolve, reject) => {
      const sent = httpRequest(
        {
          method,
          path: target,
          ...(this.socketPath
            ? { socketPath: this.socketPath }
            : { host: url.hostname, port: url.port, agent }),
          headers: {
            ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
            ...(payload === undefined
              ? {}
              : {
                  'content-type': 'application/json',
                  ...(options.headers?.['transfer-encoding']
                    ? {}
                    : { 'content-length': Buffer.byteLength(payload) }),
                }),
            ...options.headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            const isJson = response.headers['content-type']?.startsWith('application/json');
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text,
              body: (isJson && text !== '' ? JSON.parse(text) : undefined) as T,
            });
          });
        },
      );
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The server may close an idle connection just as the next request is sent. It has not seen that request.
        if (sent.reusedSocket && error.code === 'ECONNRESET')
          this.send<T>(method, path, body, options).then(resolve, reject);
        else reject(error);
      });
      sent.end(payload);
    });
  }
}
