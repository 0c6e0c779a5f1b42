/** Posts of all kinds as the load of a crash run: acknowledged posts must be stored once and completely. */
import { compare } from './audit-of-posts.mjs';
import { Load } from './load.mjs';
import { OVERLAP } from './stored-rows.mjs';

export class PostLoad {
  name = 'posts';
  report = {
    ...{ acknowledged: 0, unanswered: 0, storedUnanswered: 0, repeated: 0, stored: 0 },
    ...{ lost: [], doubled: [], half: [], wrong: [] },
  };
  #options;
  #rows;
  #target;
  #channelIds;
  #seq = 0;
  #load;
  #prefix;

  /** The options are those of Load. */
  constructor(options) {
    this.#options = options;
  }

  /** Creates the channels and the webhook to post to. `rows` reads the database of the server. */
  async prepare({ admin, team, rows }) {
    const make = (name, type) =>
      admin.call('POST', '/channels', { team_id: team.id, name, display_name: name, type });
    const [hookChannel, apiChannel] = [await make('by-hook', 'O'), await make('by-api', 'P')];
    const own = { channel_id: hookChannel.id, display_name: 'load' };
    const hook = await admin.call('POST', '/hooks/incoming', own);
    const first = { channel_id: apiChannel.id, message: 'root.0.0|1/1|16|' };
    const root = await admin.call('POST', '/posts', first);
    this.#channelIds = [hookChannel.id, apiChannel.id];
    this.#target = { token: admin.token, hookId: hook.id, channelId: apiChannel.id, rootId: root.id };
    this.#rows = rows;
    this.#seq = (await rows.postsAfter(0, this.#channelIds)).seq;
  }

  begin(round, url) {
    this.#prefix = `k${round}`;
    const target = { ...this.#target, url };
    this.#load = new Load({ target, prefix: this.#prefix, ...this.#options });
  }

  get isFlowing() {
    return this.#load.acknowledgedCount >= this.#options.connections || this.#load.hasEnded;
  }

  /** Number of acknowledged requests of this round. */
  get count() {
    return this.#load.acknowledgedCount;
  }

  /** The requests of this round that were refused or not answered. */
  get failures() {
    return this.#load.sent
      .filter(({ outcome }) => outcome === 'refused' || outcome === 'unanswered')
      .map(({ kind, marker, outcome }) => `The ${kind} ${marker} was ${outcome}.`);
  }

  expectStop() {
    this.#load.expectStop();
  }

  end() {
    return this.#options.isPatient ? this.#load.stop() : this.#load.end();
  }

  /** Repeats some requests at the restarted server, and compares the requests of this round with the stored rows. */
  async check(url, _round, isLast) {
    const { report } = this;
    const load = this.#load;
    const once = await this.#repeat(url);
    const found = await this.#rows.postsAfter(this.#seq - OVERLAP, this.#channelIds);
    for (const marker of found.pieces.keys())
      if (!marker.startsWith(`${this.#prefix}.`)) found.pieces.delete(marker);
    const hooks = await this.#rows.hooksNamed(this.#prefix);
    this.#seq = Math.max(this.#seq, found.seq);
    const faults = compare({ sent: load.sent, found, hooks, once });
    for (const kind of ['lost', 'doubled', 'half', 'wrong']) report[kind].push(...faults[kind]);
    report.wrong.push(...(await this.#rows.wrongCounters(this.#channelIds, this.#target.rootId)));
    if (isLast) report.doubled.push(...(await this.#rows.doubledTexts(this.#channelIds)));
    report.acknowledged += load.acknowledged.length;
    report.unanswered += load.unanswered.length;
    report.storedUnanswered += load.unanswered.filter(
      ({ marker }) => !once.has(marker) && (found.pieces.has(marker) || hooks.has(marker)),
    ).length;
    report.stored += found.pieces.size + hooks.size;
  }

  /** Repeats the unanswered requests that can be repeated, and some answered ones, once each. */
  async #repeat(url) {
    const canRepeat = ({ kind }) => kind === 'keyed' || kind === 'api';
    const { unanswered, acknowledged } = this.#load;
    const again = [...unanswered.filter(canRepeat), ...acknowledged.filter(canRepeat).slice(-5)];
    await Promise.all(
      again.map(async (item) => {
        const answer = await item.send(undefined, url);
        if (answer.status !== 200 && answer.status !== 201)
          this.report.wrong.push(
            `The repetition of ${item.marker} was answered ${answer.status} ${answer.text}`,
          );
      }),
    );
    this.report.repeated += again.length;
    return new Set(again.map((item) => item.marker));
  }
}
