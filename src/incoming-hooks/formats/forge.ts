import type { JsonObject } from '../../platform/common/json.js';
import {
  after,
  COLOR,
  counted,
  firstLine,
  type Formatted,
  keyOf,
  lines,
  link,
  type Markdown,
  md,
  report,
} from './layout.js';
import { countAt, objectsAt, requireObject, textAt, valueAt } from './sent.js';

/* What the formats of GitHub, Gitea and GitLab share. */

const MAX_COMMITS = 10;
const SHORT_HASH = 8;

/** The handler of each event by name, or the reason for ignoring the event. */
export type Handlers<T> = Readonly<Record<string, ((event: T) => Formatted) | string>>;

/** Runs the handler of an event. Events without one are ignored. */
export function handled<T>(handlers: Handlers<T>, name: string, event: T): Formatted {
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
  if (handler === undefined) return { ignored: `the event ${JSON.stringify(name.slice(0, 100))} is unknown` };
  return typeof handler === 'string' ? { ignored: handler } : handler(event);
}

/** Handlers that ignore events for the same reason. */
export function ignoring(reason: string, ...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}

/** The result for an action that is not shown. */
export function ignoredAction(event: string, action: string): Formatted {
  return { ignored: `${event} with the action ${JSON.stringify(action.slice(0, 100))} is not shown` };
}

/** The branch or tag of a ref such as `refs/heads/main`. */
export function refName(ref: string): string {
  return ref.replace(/^refs\/(?:heads|tags)\//, '');
}

/** The first characters of a commit hash. */
export function shortHash(hash: string): string {
  return hash.slice(0, SHORT_HASH);
}

/** The commits of a push. `total` includes those that the sender omitted. */
export function commitList(body: JsonObject, total = countAt(body, 'commits')): Markdown {
  const commits = objectsAt(body, 'commits', MAX_COMMITS).map((commit) => {
    const author = textAt(commit, 'author.username', 'author.name');
    const hash = link(shortHash(textAt(commit, 'id')), textAt(commit, 'url'));
    return md`${hash} ${firstLine(textAt(commit, 'message'))}${after(author)}`;
  });
  const more = total - commits.length;
  return lines([...commits, more > 0 ? md`and ${counted(more, 'more commit')}` : md``]);
}

/** An event of GitHub or Gitea. */
export interface Event {
  readonly name: string;
  readonly body: JsonObject;
  readonly action: string;
  readonly actor: Markdown;
  /** The full name of the repository, or the name of the organization. */
  readonly place: string;
  readonly inPlace: Markdown;
}

/** Reads what all events have in common. */
export function eventOf(name: string, body: JsonObject, program: string): Event {
  const place = textAt(body, 'repository.full_name', 'organization.login', 'enterprise.slug');
  const inPlace = place === '' ? md`` : md` in ${link(place, textAt(body, 'repository.html_url'))}`;
  const actor = link(textAt(body, 'sender.login') || program, textAt(body, 'sender.html_url'));
  return { name, body, action: textAt(body, 'action'), actor, place, inPlace };
}

/** Actions whose verb is not the action itself; the object takes the place of `…`. */
const VERBS: Readonly<Record<string, string>> = {
  added_to_repository: 'added …',
  appeared_in_branch: 'found … in a branch',
  auto_dismissed: 'automatically dismissed …',
  auto_reopened: 'automatically reopened …',
  closed_by_user: 'closed …',
  converted_to_draft: 'converted … to a draft',
  dequeued: 'removed … from the merge queue',
  enqueued: 'added … to the merge queue',
  pending_cancellation: 'scheduled the end of …',
  pending_tier_change: 'scheduled a change of …',
  ready_for_review: 'marked … as ready for review',
  removed_from_repository: 'removed …',
  reopened_by_user: 'reopened …',
  review_requested: 'requested a review of …',
  tier_changed: 'changed the tier of …',
  updated_assignment: 'changed the assignment of …',
  withdrawn: 'withdrew …',
};
const BEGUN = new Set(['created', 'opened', 'published']);
const GOOD = new Set([...BEGUN, 'answered', 'reopened']);
/** Actions after which an alert needs no attention. */
const SETTLED = new Set(['auto_dismissed', 'closed_by_user', 'dismissed', 'fixed', 'resolved']);
/** Where objects of all kinds have their title. */
const TITLES = [
  ...['title', 'full_name', 'name', 'tag_name', 'summary', 'security_advisory.summary', 'rule.description'],
  ...['secret_type_display_name', 'secret_type', 'affected_package_name', 'login', 'slug'],
];

/** What was done to an object. */
export function done(action: string, object: Markdown): Markdown {
  const known = Object.hasOwn(VERBS, action) ? VERBS[action] : undefined;
  const verb = known ?? `${action.replaceAll('_', ' ') || 'changed'} …`;
  const [before, rest = ''] = verb.split('…');
  return md`${before} ${object}${rest === '' ? md`` : md` ${rest}`}`;
}

/** The number and the title of an object, as a link to its page. */
export function titleOf(object: unknown): Markdown {
  const number = textAt(object, 'number');
  const title = textAt(object, ...TITLES);
  return link(number === '' ? title : `#${number} ${title}`, textAt(object, 'html_url'));
}

interface Topic {
  readonly noun: string;
  /** Where the object is in the body. */
  readonly at: string;
  /** The only actions that are shown; all if absent. */
  readonly actions?: readonly string[];
  /** Calls about the same object have the same key: this prefix with the object's number or id. */
  readonly key?: string;
  /** Whether some actions settle the object. */
  readonly isAlert?: boolean;
}

/** Shows events about an object that has an action, such as an issue that was opened. */
export const about =
  ({ noun, at, actions, key, isAlert = false }: Topic) =>
  ({ name, body, action, actor, place, inPlace }: Event): Formatted => {
    const object = requireObject(body, at);
    if (actions && !actions.includes(action)) return ignoredAction(name, action);
    const isSettled = isAlert && SETTLED.has(action);
    const isGood = isAlert ? isSettled : GOOD.has(action);
    return report({
      text: md`${actor} ${done(action, md`${noun} ${titleOf(object)}`)}${at === 'repository' ? '' : inPlace}`,
      color: isGood ? COLOR.good : isAlert ? COLOR.bad : COLOR.neutral,
      details: BEGUN.has(action) ? textAt(object, 'body', 'description') : '',
      fields: [['Severity', textAt(object, 'security_advisory.severity', 'rule.security_severity_level')]],
      ...(key !== undefined && { key: keyOf(`${key}:${place}#${textAt(object, 'number', 'id')}`) }),
      ...(isSettled && { onKey: 'resolve' }),
    });
  };

/** Shows events about a pull request that have one of the actions; `merged` is one. */
export const pullRequest = (...actions: readonly string[]): ((event: Event) => Formatted) => {
  const shown = about({ noun: 'pull request', at: 'pull_request', key: 'pr', actions });
  return (event) => {
    const isMerged = event.action === 'closed' && valueAt(event.body, 'pull_request.merged') === true;
    return shown(isMerged ? { ...event, action: 'merged' } : event);
  };
};

interface Commented {
  readonly noun: string;
  /** Where the object is in the body. */
  readonly at: string;
  readonly key: string;
  readonly verb?: string;
  readonly color?: string;
}

/** Shows a comment on an object of the body, in the thread of the object. */
export function comment(
  { body, actor, place, inPlace }: Event,
  { noun, at, key, verb = 'commented on', color = COLOR.info }: Commented,
  said: JsonObject,
): Formatted {
  const subject = requireObject(body, at);
  const isPull = key === 'pr' || valueAt(subject, 'pull_request') instanceof Object;
  return report({
    text: md`${actor} ${link(verb, textAt(said, 'html_url'))} ${isPull ? 'pull request' : noun} ${titleOf(subject)}${inPlace}`,
    color,
    details: textAt(said, 'body', 'content'),
    fields: [['File', textAt(said, 'path')]],
    key: keyOf(`${isPull ? 'pr' : key}:${place}#${textAt(subject, 'number')}`),
    onKey: 'thread',
  });
}

const STATES: Readonly<Record<string, string>> = {
  ...{ success: COLOR.good, built: COLOR.good, complete: COLOR.good },
  ...{ failure: COLOR.bad, failed: COLOR.bad, error: COLOR.bad, errored: COLOR.bad, timed_out: COLOR.bad },
  ...{ startup_failure: COLOR.bad, action_required: COLOR.warning, in_progress: COLOR.warning },
  ...{ pending: COLOR.warning, queued: COLOR.warning, running: COLOR.warning, warning: COLOR.warning },
};

interface Outcome {
  readonly what: Markdown;
  readonly state: string;
  readonly key: string;
  readonly fields?: JsonObject;
  readonly details?: string;
}

/** Shows the state of a run. A later state of the same run replaces it. */
export function outcome({ what, state, key, fields = {}, details = '' }: Outcome): Formatted {
  return report({
    text: md`${what}: ${state.replaceAll('_', ' ')}`,
    color: (Object.hasOwn(STATES, state) ? STATES[state] : undefined) ?? COLOR.neutral,
    details,
    fields: Object.entries(fields),
    key: keyOf(key),
    onKey: 'update',
  });
}

/** Shows a push to a branch or a tag. */
export function pushed({ body, actor, inPlace }: Event, compare: string, total?: number): Formatted {
  const verb = valueAt(body, 'forced') === true ? 'force-pushed' : 'pushed';
  const count = counted(total ?? countAt(body, 'commits'), 'commit');
  return report({
    text: md`${actor} ${verb} ${link(count, textAt(body, compare))} to ${refName(textAt(body, 'ref'))}${inPlace}`,
    color: COLOR.info,
    details: commitList(body, total),
  });
}

/** Shows an event as a sentence that follows its actor. */
export const sentence =
  (text: (event: Event) => Markdown, details: (body: JsonObject) => string = () => '') =>
  (event: Event): Formatted =>
    report({ text: md`${event.actor} ${text(event)}`, color: COLOR.neutral, details: details(event.body) });
