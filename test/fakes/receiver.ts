import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. */
export interface ReceivedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly at: number;
}

type Answer = (call: ReceivedCall, response: ServerResponse) => void | Promise<void>;

/** A receiver of webhooks on a loopback socket. Answers 200 with an empty body by default. */
export class Receiver {
  readonly calls: ReceivedCall[] = [];
  answer: Answer = (_, response) => void response.end();

  private constructor(private readonly server: Server) {}

  static async start(answer?: Answer): Promise<Receiver> {
    const server = createServer((request, response) => void receiver.take(request, response));
    const receiver = new Receiver(server);
    if (answer) receiver.answer = answer;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  url(path = '/'): string {
    return `${this.origin}${path}`;
  }

  callsTo(path: string): ReceivedCall[] {
    return this.calls.filter((call) => call.path === path);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
      at: Date.now(),
    };
    this.calls.push(call);
    await this.answer(call, response);
  }
}

/** An answer with a JSON body. */
export const json =
  (body: unknown, status = 200): Answer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
