import { newId } from '../../../platform/common/ids.js';
import type { JsonObject } from '../../../platform/common/json.js';
import type { Bus } from '../../../platform/scaling/bus.js';
import { type SecretBox, SecretUnreadable } from '../../../platform/secrets/secret-box.js';
import type { Delivery } from '../delivery.entity.js';
import type { LaneDrain } from '../lane-drain.js';

/** Selects deliveries by all the fields that are given. */
export interface Selection {
  readonly ids?: readonly string[];
  readonly kind?: string;
  readonly subjectIds?: readonly string[];
  readonly ownerId?: string | undefined;
  readonly url?: string | undefined;
}

/** Returns a predicate for the selected deliveries. `hashOf`: how the owner and URL are hashed in `selection`. */
export function matcherOf(
  { ids, kind, subjectIds, ownerId, url }: Selection,
  hashOf = (text: string): string => text,
): (delivery: Delivery) => boolean {
  const isOne = ids && new Set(ids);
  const isSubject = subjectIds && new Set(subjectIds);
  const isOwner = remembered((text) => hashOf(text) === ownerId);
  const isUrl = remembered((text) => hashOf(text) === url);
  return (delivery) =>
    (isOne?.has(delivery.id) ?? true) &&
    (kind === undefined || delivery.kind === kind) &&
    (isSubject?.has(delivery.subjectId) ?? true) &&
    (ownerId === undefined || isOwner(delivery.ownerId)) &&
    (url === undefined || isUrl(delivery.url));
}

/** Caches results: many deliveries share an owner, and hashing takes a while. */
function remembered(matches: (text: string) => boolean): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    let is = known.get(text);
    if (is === undefined) known.set(text, (is = matches(text)));
    return is;
  };
}

const PLACE = { table: 'lanes', column: 'name', id: '' };
/** Long enough to be unique; every job has one. */
const HASH_LENGTH = 27;

/** Encrypts names sent through Redis, so that its readers cannot learn or guess whom the server calls. */
export class HiddenNames {
  constructor(private readonly secrets: Pick<SecretBox, 'hash' | 'seal' | 'open'>) {}

  /** A hash of a lane, owner or URL, the same in every process. */
  readonly hashOf = (text: string): string => this.secrets.hash(text, PLACE).slice(0, HASH_LENGTH);

  /** Encrypts the name of a lane for a process that may not know it yet. */
  seal(lane: string): string {
    return this.secrets.seal(lane, PLACE);
  }

  /** Decrypts a name sealed by another process; undefined if it cannot be read. */
  open(sealed: unknown): string | undefined {
    if (typeof sealed !== 'string') return undefined;
    try {
      return this.secrets.open(sealed, PLACE);
    } catch (error) {
      if (error instanceof SecretUnreadable) return undefined;
      throw error;
    }
  }
}

/** Other processes answer at once; those that do not are not waited for. */
const ANSWER_WITHIN_MS = 150;

/** The answers, and the processes that have not answered (yet). */
export interface Answers {
  readonly found: string[];
  readonly missing: Set<string>;
}

/**
 * Messages between processes about lanes: new rows, resumed lanes, cancelled rows, and which deliveries are
 * being called. Messages contain ids and hashes; the table makes up for lost ones.
 */
export class LaneMessages {
  private readonly questions = new Map<string, Answers & { readonly resolve: () => void }>();

  /** `find` returns the lane of this process with a given hash. */
  constructor(
    private readonly bus: Bus,
    private readonly drain: LaneDrain,
    private readonly names: HiddenNames,
    find: (hash: string) => string | undefined,
  ) {
    const forLane = (topic: string, act: (lane: string) => void): void =>
      bus.subscribe(topic, ({ lanes }) => {
        for (const lane of strings(lanes).map(find)) if (lane !== undefined) act(lane);
      });
    forLane('lanes.rows', (lane) => drain.rowsLeft(lane));
    forLane('lanes.wake', (lane) => drain.wake(lane));
    forLane('lanes.resume', (lane) => drain.resume(lane));
    bus.subscribe('lanes.drop', (message) => drain.drop(matcherOf(message, names.hashOf)));
    bus.subscribe('lanes.ask', ({ id, ...asked }, to) => {
      const found = drain.inFlight(matcherOf(asked, names.hashOf));
      bus.publish('lanes.answer', { id: id ?? '', to, found: [...found] });
    });
    bus.subscribe('lanes.answer', (message, from) => this.take(message, from));
  }

  /** Tells the process that has a lane of new rows, or to wake or resume it. */
  tell(what: 'rows' | 'wake' | 'resume', lanes: readonly string[]): void {
    this.bus.publish(`lanes.${what}`, { lanes: lanes.map(this.names.hashOf) });
  }

  drop(selection: Selection): void {
    this.bus.publish('lanes.drop', this.messageOf(selection));
  }

  /** Asks processes which of the selected deliveries they are calling. */
  async ask(selection: Selection, processes: ReadonlySet<string>): Promise<Answers> {
    const missing = new Set(processes);
    const found: string[] = [];
    if (missing.size === 0 || !this.bus.isConnected) return { found, missing };
    const id = newId();
    await new Promise<void>((resolve) => {
      setTimeout(resolve, ANSWER_WITHIN_MS);
      this.questions.set(id, { found, missing, resolve });
      this.bus.publish('lanes.ask', { id, ...this.messageOf(selection) });
    });
    this.questions.delete(id);
    return { found, missing };
  }

  private take({ id, to, found }: JsonObject, from: string): void {
    const question = to === this.bus.processId ? this.questions.get(String(id)) : undefined;
    if (!question?.missing.delete(from)) return;
    question.found.push(...strings(found));
    if (question.missing.size === 0) question.resolve();
  }

  private messageOf({ ownerId, url, ...rest }: Selection): JsonObject {
    const { hashOf } = this.names;
    return { ...rest, ownerId: ownerId && hashOf(ownerId), url: url && hashOf(url) };
  }
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
