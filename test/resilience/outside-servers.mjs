/** The servers outside: a receiver of webhooks, and a peer of secure connections. */
import { createServer } from 'node:http';

export class OutsideServers {
  #receiver;
  #peer;

  /** `peer` is a ForeignPeer. */
  static async start(peer) {
    const servers = new OutsideServers();
    servers.#peer = peer;
    servers.#receiver = createServer((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(request.url === '/fail' ? 500 : 200, { 'content-type': 'application/json' });
        response.end(request.url === '/reply' ? '{"text":"a reply"}' : '{}');
      });
    });
    await new Promise((resolve) => servers.#receiver.listen(0, '127.0.0.1', resolve));
    return servers;
  }

  /** Callback URLs: one that succeeds, one that fails and one that replies with a post. */
  get urls() {
    const origin = `http://127.0.0.1:${this.#receiver.address().port}`;
    return ['ok', 'fail', 'reply'].map((name) => `${origin}/${name}`);
  }

  /** An invite of the peer, with its password. */
  invite() {
    return this.#peer.invite();
  }

  /** Forgets the requests that the peer has received. */
  forget() {
    this.#peer.requests.length = 0;
  }

  async close() {
    this.#receiver.closeAllConnections();
    await Promise.all([new Promise((resolve) => this.#receiver.close(resolve)), this.#peer.close()]);
  }
}
