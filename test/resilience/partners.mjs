/** The servers outside: a receiver of webhooks, and a peer of secure connections. */
import { createServer } from 'node:http';

export class Partners {
  #receiver;
  #peer;

  /** `peer` is a ForeignPeer. */
  static async start(peer) {
    const partners = new Partners();
    partners.#peer = peer;
    partners.#receiver = createServer((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(request.url === '/fail' ? 500 : 200, { 'content-type': 'application/json' });
        response.end(request.url === '/reply' ? '{"text":"a reply"}' : '{}');
      });
    });
    await new Promise((resolve) => partners.#receiver.listen(0, '127.0.0.1', resolve));
    return partners;
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

  /** Opens an invite of the server. Returns the data with which the peer confirms it. */
  open(invite, password) {
    const { remoteId, inviteToken, token, remoteToken } = this.#peer.open(invite, password);
    const payload = {
      remote_id: remoteId,
      remote_team_id: '',
      site_url: this.#peer.siteUrl,
      token,
      refreshed_token: remoteToken,
      version: 3,
    };
    return { remoteId, token: inviteToken, payload };
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
