import type { JsonObject } from '../../platform/common/json.js';
import {
  about,
  comment,
  type Event,
  eventOf,
  handled,
  type Handlers,
  ignoredAction,
  ignoring,
  outcome,
  pullRequest,
  pushed,
  refName,
} from './forge.js';
import { COLOR, type Formatted, link, md, report } from './layout.js';
import { countAt, requireObject, requireText, textAt, unexpected, valueAt } from './sent.js';

/** The first header present names the event. Forgejo sends Gitea's too. */
const HEADERS = ['x-gitea-event-type', 'x-gitea-event', 'x-forgejo-event', 'x-gogs-event'];

/**
 * Formats the calls of Gitea, Forgejo and Gogs (docs/contract/incoming-webhooks.md#formats). Throws PayloadError.
 */
export function gitea(body: JsonObject, headers: Readonly<Record<string, string>>): Formatted {
  const name = HEADERS.map((header) => headers[header]).find((value) => value);
  if (name === undefined) throw unexpected('the header X-Gitea-Event is missing');
  return handled(EVENTS, name, eventOf(name, body, 'Gitea'));
}

const ISSUE = about({
  noun: 'issue',
  at: 'issue',
  key: 'issue',
  actions: ['opened', 'closed', 'reopened', 'deleted'],
});
const PULL_REQUEST = pullRequest('opened', 'closed', 'merged', 'reopened', 'review_requested');

/** A comment on an issue or on a pull request, which Gitea calls an issue too. */
function issueComment(event: Event): Formatted {
  const said = requireObject(event.body, 'comment');
  if (event.action !== 'created') return ignoredAction(event.name, event.action);
  const key = valueAt(event.body, 'is_pull') === true ? 'pr' : 'issue';
  const at = valueAt(event.body, 'issue') instanceof Object ? 'issue' : 'pull_request';
  return comment(event, { noun: 'issue', at, key: at === 'issue' ? key : 'pr' }, said);
}

const review =
  (verb: string, color: string) =>
  (event: Event): Formatted =>
    comment(
      event,
      { noun: 'pull request', at: 'pull_request', key: 'pr', verb, color },
      requireObject(event.body, 'review'),
    );
const APPROVED = review('approved', COLOR.good);
const REJECTED = review('requested changes to', COLOR.bad);
const COMMENTED = review('reviewed', COLOR.info);

function push(event: Event): Formatted {
  requireText(event.body, 'ref');
  const total = Number(textAt(event.body, 'total_commits')) || countAt(event.body, 'commits');
  if (total === 0) return { ignored: 'a push without commits is reported by the event create' };
  return pushed(event, textAt(event.body, 'compare_url') === '' ? 'compare' : 'compare_url', total);
}

const refChange =
  (verb: string) =>
  ({ body, actor, inPlace }: Event): Formatted =>
    report({
      text: md`${actor} ${verb} ${requireText(body, 'ref_type')} ${refName(textAt(body, 'ref'))}${inPlace}`,
    });

function wiki({ body, action, actor, inPlace }: Event): Formatted {
  const page = requireText(body, 'page');
  return report({
    text: md`${actor} ${action} wiki page ${page}${inPlace}`,
    details: textAt(body, 'comment'),
  });
}

function status({ body, place, inPlace }: Event): Formatted {
  const state = requireText(body, 'state');
  if (state === 'pending') return { ignored: 'a status is shown once it is no longer pending' };
  const context = textAt(body, 'context');
  return outcome({
    what: md`Status ${link(context, textAt(body, 'target_url'))}${inPlace}`,
    state,
    key: `status:${place}:${textAt(body, 'sha')}:${context}`,
    details: textAt(body, 'description'),
  });
}

/** The outcome of a run of Gitea's or of Forgejo's actions. */
const workflowRun =
  (at: string) =>
  ({ name, body, action, place, inPlace }: Event): Formatted => {
    const run = requireObject(body, at);
    if (at === 'workflow_run' && action !== 'completed') return ignoredAction(name, action);
    return outcome({
      what: md`Workflow ${link(textAt(run, 'display_title', 'title', 'path'), textAt(run, 'html_url'))}${inPlace}`,
      state: textAt(run, 'conclusion', 'status') || action,
      key: `workflow_run:${place}#${textAt(run, 'id')}`,
    });
  };

/** Every event of Gitea, Forgejo and Gogs: how it is shown, or why it is not. */
export const EVENTS: Handlers<Event> = {
  create: refChange('created'),
  delete: refChange('deleted'),
  fork: ({ body, actor, inPlace }) =>
    report({ text: md`${actor} forked ${requireText(body, 'forkee.full_name')}${inPlace}` }),
  push,
  issues: ISSUE,
  issue_comment: issueComment,
  pull_request: PULL_REQUEST,
  pull_request_comment: (event) =>
    valueAt(event.body, 'review') instanceof Object ? COMMENTED(event) : issueComment(event),
  pull_request_review_request: PULL_REQUEST,
  pull_request_review_approved: APPROVED,
  pull_request_approved: APPROVED,
  pull_request_review_rejected: REJECTED,
  pull_request_rejected: REJECTED,
  pull_request_review_comment: COMMENTED,
  wiki,
  repository: about({ noun: 'repository', at: 'repository', actions: ['created', 'deleted'] }),
  release: about({ noun: 'release', at: 'release', actions: ['published', 'deleted'] }),
  package: about({ noun: 'package', at: 'package', actions: ['created', 'deleted'] }),
  status,
  workflow_run: workflowRun('workflow_run'),
  action_run_success: workflowRun('run'),
  action_run_failure: workflowRun('run'),
  action_run_recover: workflowRun('run'),

  workflow_job: 'a job is reported by its workflow run',
  pull_request_sync: 'the event push reports the same',
  ...ignoring('assignments are not shown', 'issue_assign', 'pull_request_assign'),
  ...ignoring('labels are not shown', 'issue_label', 'pull_request_label'),
  ...ignoring('milestones are not shown', 'issue_milestone', 'pull_request_milestone'),
};
