/**
 * Posts and edits in a channel that is shared with a peer, as the load of a fault run: every post must reach the
 * peer, in order, from one sender at a time, and the newest version of an edited post must win.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '../support/api-client.mjs';
import { ROUNDS_PER_CHECK, SETTLE_LIMIT_MS } from './delivery-load.mjs';
import { OVERLAP, SEQUENCES_PER_MS } from './stored-rows.mjs';

/** How long the peer takes to respond, so that two simultaneous senders would overlap. */
const ANSWERS_AFTER_MS = 10;
/** Maximum number of repeated messages in a round, from senders that lost the lane. */
const LATE_AT_MOST = 3;
/** How much lower the number of a post may be than that of a post acknowledged before it was sent. */
const BACK_AT_MOST_MS = 2_000;

export class PeerLoad {
  name = 'messages';
  report = {
    ...{ acknowledged: 0, messages: 0, repeated: 0, late: 0, overlapping: 0, furthestBackMs: 0 },
    ...{ lost: [], disordered: [], outdated: [], wrong: [] },
  };
  /** The posts and edits of this round that were refused or not answered. */
  failures = [];
  #peer;
  #pauseMs;
  #rows;
  #token;
  #channelId;
  #acknowledged = [];
  #seq = 0;
  /** The edited post, and the last acknowledged version. */
  #edited;
  #version = 0;
  /** The version at the peer: like all peers, it ignores a version that is older than its own. */
  #newest = { editAt: -1, version: -1 };
  /** By message, when the peer first received it; and the last one that was new to it. */
  #places = new Map();
  #lastNew;
  #running = 0;
  #isOver = true;
  #count = 0;
  #posters;

  /** `peer` is a ForeignPeer. */
  constructor({ peer, pauseMs }) {
    this.#peer = peer;
    this.#pauseMs = pauseMs;
  }

  async prepare({ admin, team, rows }) {
    this.#rows = rows;
    this.#token = admin.token;
    const connection = { name: 'peer', display_name: 'Peer', default_team_id: team.id, password: '' };
    const { invite, password, remote_cluster } = await admin.call('POST', '/remotecluster', connection);
    await this.#peer.accept(invite, password);
    this.#peer.misbehave('msg', (request, response, properly) => this.#answer(request, response, properly));
    const channel = { team_id: team.id, name: 'shared', display_name: 'Shared', type: 'O' };
    this.#channelId = (await admin.call('POST', '/channels', channel)).id;
    await admin.call('POST', `/remotecluster/${remote_cluster.remote_id}/channels/${this.#channelId}/invite`);
    this.#edited = await admin.call('POST', '/posts', { channel_id: this.#channelId, message: 'version 0' });
  }

  begin(round, url) {
    this.#isOver = false;
    this.#count = 0;
    this.failures = [];
    this.#posters = Promise.all([this.#post(round, url), this.#edit(url)]);
  }

  get isFlowing() {
    return this.#count >= 1 || this.#isOver;
  }

  async end() {
    this.#isOver = true;
    await this.#posters;
  }

  /** After some rounds and after the last one: waits until everything is delivered, and checks it. */
  async check(_url, round, isLast) {
    if (round % ROUNDS_PER_CHECK > 0 && !isLast) return;
    const open = await this.#rows.settle(SETTLE_LIMIT_MS);
    if (open > 0) this.report.wrong.push(`${open} messages are still open.`);
    this.#compare();
    await this.#compareSequences();
    this.#acknowledged = [];
  }

  close() {
    return this.#peer.close();
  }

  async #post(round, url) {
    for (let number = 0; !this.#isOver; number++) {
      const message = `post ${round}.${number}`;
      // The client resends it if a reused connection breaks.
      const body = { channel_id: this.#channelId, message, pending_post_id: message };
      if (await this.#send(url, 'POST', '/posts', body)) this.#acknowledged.push(message);
      await sleep(this.#pauseMs);
    }
  }

  async #edit(url) {
    while (!this.#isOver) {
      const version = this.#version + 1;
      const body = { message: `version ${version}` };
      // An unanswered edit may be stored: the next version differs nevertheless.
      if (await this.#send(url, 'PUT', `/posts/${this.#edited.id}/patch`, body)) this.#version = version;
      await sleep(3 * this.#pauseMs);
    }
  }

  async #send(url, method, path, body) {
    const what = `${method} ${body.message}`;
    try {
      const { status } = await new ApiClient(url, this.#token).send(method, path, body);
      if (status === 503) this.failures.push(`${what} was refused.`);
      else if (status > 299) this.report.wrong.push(`${what} was answered ${status}.`);
      if (status > 299) return false;
      this.#count++;
      return true;
    } catch {
      this.failures.push(`${what} was not answered.`);
      return false;
    }
  }

  async #answer({ frame }, response, properly) {
    const isPost = frame?.msg?.topic === 'sharedchannel_sync';
    if (isPost && this.#running++ > 0) this.report.overlapping++;
    if (isPost) response.once('close', () => this.#running--);
    await sleep(ANSWERS_AFTER_MS);
    await properly();
  }

  #compare() {
    const { report } = this;
    const lateBefore = report.late;
    for (const { frame } of this.#peer.requestsTo('msg'))
      for (const post of frame?.msg?.payload?.posts ?? []) this.#take(post);
    this.#peer.requests.length = 0;
    if (report.late - lateBefore > LATE_AT_MOST * ROUNDS_PER_CHECK)
      report.wrong.push(`${report.late - lateBefore} messages came once more after later ones.`);
    let before = -1;
    for (const message of this.#acknowledged) {
      const at = this.#places.get(message);
      if (at === undefined) report.lost.push(`The peer has not received "${message}".`);
      else if (at < before) report.disordered.push(`The peer has received "${message}" too early.`);
      before = Math.max(before, at ?? -1);
    }
    if (this.#newest.version < this.#version)
      report.outdated.push(
        `The peer has version ${this.#newest.version}, and ${this.#version} was acknowledged.`,
      );
    report.acknowledged += this.#acknowledged.length;
  }

  /** The posts were created one after the other, by any process. */
  async #compareSequences() {
    const { report } = this;
    const sequences = await this.#rows.sequencesAfter(this.#seq - OVERLAP, this.#channelId);
    let last = 0;
    for (const message of this.#acknowledged) {
      const seq = sequences.get(message);
      if (seq === undefined) report.lost.push(`"${message}" is not stored.`);
      else if (last > seq)
        report.furthestBackMs = Math.max(report.furthestBackMs, (last - seq) / SEQUENCES_PER_MS);
      last = Math.max(last, seq ?? 0);
    }
    this.#seq = Math.max(this.#seq, last);
    if (report.furthestBackMs > BACK_AT_MOST_MS)
      report.wrong.push(`The numbers of posts go back by ${Math.round(report.furthestBackMs)} ms.`);
  }

  #take({ id, message, edit_at: editAt }) {
    const { report } = this;
    report.messages++;
    if (id === this.#edited.id) {
      if (editAt >= this.#newest.editAt) this.#newest = { editAt, version: Number(/\d+/.exec(message)) };
      return;
    }
    if (!this.#places.has(message)) this.#places.set((this.#lastNew = message), this.#places.size);
    else {
      report.repeated++;
      if (message !== this.#lastNew) report.late++;
    }
  }
}
