import { newId } from '../../../platform/common/ids.js';
import type { JsonObject } from '../../../platform/common/json.js';
import type { Bus } from '../../../platform/scaling/bus.js';
import { type SecretBox, SecretUnreadable } from '../../../platform/secrets/secret-box.js';
import type { Delivery } from '../delivery.entity.js';
import type { LaneWorker } from './lane-turns.js';

/** The deliveries affected by a cancellation: an owner's, to one URL or all, or those about subjects. */
export type Dropped =
  | { readonly ownerId: string; readonly url: string | undefined }
  | { readonly kind: string; readonly subjectIds: readonly string[] };

/** Returns a predicate for the affected deliveries. `hashOf`: how owners and URLs are hashed in `dropped`. */
export function matcherOf(
  dropped: Dropped,
  hashOf = (text: string): string => text,
): (delivery: Delivery) => boolean {
  if ('subjectIds' in dropped) {
    const gone = new Set(dropped.subjectIds);
    return ({ kind, subjectId }) => kind === dropped.kind && gone.has(subjectId);
  }
  const isOwner = remembered((ownerId) => hashOf(ownerId) === dropped.ownerId);
  const isUrl = remembered((url) => dropped.url === undefined || hashOf(url) === dropped.url);
  return ({ ownerId, url }) => isOwner(ownerId) && isUrl(url);
}

/** A cancellation as a message to other processes. */
function messageOf(dropped: Dropped, { hashOf }: HiddenNames): JsonObject {
  if ('subjectIds' in dropped) return { kind: dropped.kind, subjectIds: [...dropped.subjectIds] };
  const { ownerId, url } = dropped;
  return { owner: hashOf(ownerId), ...(url === undefined ? {} : { url: hashOf(url) }) };
}

/** The cancellation in another process's message, with hashes. */
function droppedOf({ kind, subjectIds, owner, url }: JsonObject): Dropped {
  if (Array.isArray(subjectIds)) return { kind: String(kind), subjectIds: strings(subjectIds) };
  return { ownerId: String(owner), url: typeof url === 'string' ? url : undefined };
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

/** A question to other processes, pending until all have answered. */
interface Question {
  readonly found: string[];
  readonly missing: Set<string>;
  readonly resolve: () => void;
}

/** The answers, and the processes that did not answer. */
export interface Answers {
  readonly found: readonly string[];
  readonly missing: ReadonlySet<string>;
}

/**
 * Messages between processes about lanes: new rows, resumed lanes, cancelled rows, and which deliveries are
 * being called. Messages contain ids and hashes; the table makes up for lost ones.
 */
export class LaneMessages {
  private readonly questions = new Map<string, Question>();

  /** `find` returns the lane of this process with a given hash. */
  constructor(
    private readonly bus: Bus,
    private readonly worker: LaneWorker,
    private readonly names: HiddenNames,
    find: (hash: string) => string | undefined,
  ) {
    const forLane = (topic: string, act: (lane: string) => void): void =>
      bus.subscribe(topic, ({ lanes }) => {
        for (const lane of strings(lanes).map(find)) if (lane !== undefined) act(lane);
      });
    forLane('lanes.rows', (lane) => worker.rowsLeft(lane));
    forLane('lanes.wake', (lane) => worker.wake(lane));
    forLane('lanes.resume', (lane) => worker.resume(lane));
    bus.subscribe('lanes.drop', (message) => worker.drop(matcherOf(droppedOf(message), names.hashOf)));
    bus.subscribe('lanes.ask', (message, from) => this.answer(message, from));
    bus.subscribe('lanes.answer', (message, from) => this.take(message, from));
  }

  rowsLeft(lanes: readonly string[]): void {
    this.bus.publish('lanes.rows', { lanes: lanes.map(this.names.hashOf) });
  }

  wake(lane: string): void {
    this.bus.publish('lanes.wake', { lanes: [this.names.hashOf(lane)] });
  }

  resume(lane: string): void {
    this.bus.publish('lanes.resume', { lanes: [this.names.hashOf(lane)] });
  }

  drop(dropped: Dropped): void {
    this.bus.publish('lanes.drop', messageOf(dropped, this.names));
  }

  /** Asks processes which of these deliveries they are calling. */
  inFlight(ids: readonly string[], processes: ReadonlySet<string>): Promise<Answers> {
    return this.ask({ ids: [...ids] }, processes);
  }

  /** Asks processes which deliveries they are calling, of one owner or of all if undefined. */
  inFlightOf(ownerId: string | undefined, processes: ReadonlySet<string>): Promise<Answers> {
    return this.ask(ownerId === undefined ? { all: true } : { owner: this.names.hashOf(ownerId) }, processes);
  }

  private async ask(asked: JsonObject, processes: ReadonlySet<string>): Promise<Answers> {
    const missing = new Set(processes);
    const found: string[] = [];
    if (missing.size === 0 || !this.bus.isConnected) return { found, missing };
    const id = newId();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ANSWER_WITHIN_MS);
      const isOver = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.questions.set(id, { found, missing, resolve: isOver });
      this.bus.publish('lanes.ask', { id, ...asked });
    });
    this.questions.delete(id);
    return { found, missing };
  }

  private answer({ id, ids, owner, all }: JsonObject, to: string): void {
    const isMeant = (ownerId: string): boolean => all === true || this.names.hashOf(ownerId) === owner;
    const found = Array.isArray(ids) ? this.worker.inFlight(strings(ids)) : this.worker.inFlightOf(isMeant);
    this.bus.publish('lanes.answer', { id: id ?? '', to, found: [...found] });
  }

  private take({ id, to, found }: JsonObject, from: string): void {
    const question = to === this.bus.processId ? this.questions.get(String(id)) : undefined;
    if (!question?.missing.delete(from)) return;
    question.found.push(...strings(found));
    if (question.missing.size === 0) question.resolve();
  }
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
