import type { JsonObject } from '../../platform/common/json.js';
import {
  about,
  comment,
  done,
  type Event,
  eventOf,
  handled,
  type Handlers,
  ignoredAction,
  ignoring,
  outcome,
  pullRequest,
  pushed,
  sentence,
  shortHash,
} from './forge.js';
import { COLOR, type Formatted, link, md, report } from './layout.js';
import { countAt, objectsAt, requireObject, requireText, textAt, unexpected, valueAt } from './sent.js';

/** Formats the calls of GitHub (docs/contract/incoming-webhooks.md#formats). Throws PayloadError. */
export function github(body: JsonObject, headers: Readonly<Record<string, string>>): Formatted {
  const name = headers['x-github-event'] ?? '';
  if (name === '') throw unexpected('the header X-GitHub-Event is missing');
  return handled(EVENTS, name, eventOf(name, body, 'GitHub'));
}

const PULL_REQUEST = pullRequest(
  ...['opened', 'closed', 'merged', 'reopened', 'ready_for_review', 'converted_to_draft'],
  ...['review_requested', 'enqueued', 'dequeued'],
);

/** A new comment on an issue, a discussion or a pull request. */
const newComment =
  (noun: string, at: string, key: string) =>
  (event: Event): Formatted => {
    const said = requireObject(event.body, 'comment');
    if (event.action !== 'created') return ignoredAction(event.name, event.action);
    return comment(event, { noun, at, key }, said);
  };

const REVIEWS: Readonly<Record<string, { readonly verb: string; readonly color: string }>> = {
  approved: { verb: 'approved', color: COLOR.good },
  changes_requested: { verb: 'requested changes to', color: COLOR.bad },
  dismissed: { verb: 'dismissed a review of', color: COLOR.neutral },
};

function review(event: Event): Formatted {
  const said = requireObject(event.body, 'review');
  if (!['submitted', 'dismissed'].includes(event.action)) return ignoredAction(event.name, event.action);
  const state = textAt(said, 'state').toLowerCase();
  if (state === 'commented' && textAt(said, 'body') === '')
    return { ignored: 'a review without a text is reported by its comments' };
  return comment(event, { noun: 'pull request', at: 'pull_request', key: 'pr', ...REVIEWS[state] }, said);
}

/** A run of a check or a workflow, once it is completed. */
const completed =
  (noun: string, at: string) =>
  ({ name, body, action, place, inPlace }: Event): Formatted => {
    const run = requireObject(body, at);
    if (action !== 'completed') return ignoredAction(name, action);
    // Runs of workflows that others dispatch may have no name.
    const title = requireText(body, `${at}.name`, 'workflow.name', `${at}.path`);
    return outcome({
      what: md`${noun} ${link(title, textAt(run, 'html_url'))}${inPlace}`,
      state: textAt(run, 'conclusion') || 'completed',
      key: `${at}:${place}#${textAt(run, 'id')}`,
      details: textAt(run, 'output.summary', 'display_title'),
      fields: {
        Branch: textAt(run, 'head_branch', 'check_suite.head_branch'),
        Commit: shortHash(textAt(run, 'head_sha')),
      },
    });
  };

function deploymentStatus({ body, place, inPlace }: Event): Formatted {
  const status = requireObject(body, 'deployment_status');
  const deployment = requireObject(body, 'deployment');
  const url = textAt(status, 'log_url', 'target_url', 'environment_url');
  return outcome({
    what: md`Deployment to ${link(textAt(deployment, 'environment'), url)}${inPlace}`,
    state: requireText(status, 'state'),
    key: `deployment:${place}#${textAt(deployment, 'id')}`,
    details: textAt(status, 'description'),
    fields: { Ref: textAt(deployment, 'ref'), Commit: shortHash(textAt(deployment, 'sha')) },
  });
}

function commitStatus({ body, place, inPlace }: Event): Formatted {
  const state = requireText(body, 'state');
  if (state === 'pending') return { ignored: 'a status is shown once it is no longer pending' };
  const context = textAt(body, 'context');
  return outcome({
    what: md`Status ${link(context, textAt(body, 'target_url'))}${inPlace}`,
    state,
    key: `status:${place}:${textAt(body, 'sha')}:${context}`,
    details: textAt(body, 'description'),
    fields: { Commit: shortHash(textAt(body, 'sha')) },
  });
}

function push(event: Event): Formatted {
  const { body } = event;
  const isTag = requireText(body, 'ref').startsWith('refs/tags/');
  if (valueAt(body, 'deleted') === true) return { ignored: 'a deletion is reported by the event delete' };
  if (valueAt(body, 'created') === true && (isTag || countAt(body, 'commits') === 0))
    return { ignored: 'a new branch or tag is reported by the event create' };
  return pushed(event, 'compare');
}

function gollum({ body, actor, inPlace }: Event): Formatted {
  const pages = objectsAt(body, 'pages', 5).map((page) =>
    link(textAt(page, 'title', 'page_name'), textAt(page, 'html_url')),
  );
  const [first, ...others] = pages;
  if (!first) throw unexpected('pages must be a list of pages');
  const names = others.reduce((all, page) => md`${all}, ${page}`, first);
  return report({ text: md`${actor} changed the wiki${inPlace}: ${names}` });
}

const verbOf = ({ action }: Event): string => action.replace(/^member_/, '').replaceAll('_', ' ');
const refChange = (verb: string): ReturnType<typeof sentence> =>
  sentence(
    ({ body, inPlace }) => md`${verb} ${requireText(body, 'ref_type')} ${textAt(body, 'ref')}${inPlace}`,
  );

/** Every event of GitHub's documentation: how it is shown, or why it is not. */
export const EVENTS: Handlers<Event> = {
  branch_protection_configuration: sentence(
    (event) => md`${verbOf(event)} branch protection${event.inPlace}`,
  ),
  branch_protection_rule: about({ noun: 'branch protection rule', at: 'rule' }),
  check_run: completed('Check', 'check_run'),
  code_scanning_alert: about({
    noun: 'code scanning alert',
    at: 'alert',
    key: 'code-scanning',
    isAlert: true,
  }),
  commit_comment: sentence(
    ({ body, inPlace }) =>
      md`commented on commit ${link(shortHash(requireText(body, 'comment.commit_id')), textAt(body, 'comment.html_url'))}${inPlace}`,
    (body) => textAt(body, 'comment.body'),
  ),
  create: refChange('created'),
  delete: refChange('deleted'),
  dependabot_alert: about({ noun: 'Dependabot alert', at: 'alert', key: 'dependabot', isAlert: true }),
  deploy_key: about({ noun: 'deploy key', at: 'key' }),
  deployment_review: sentence(
    (event) =>
      md`${verbOf(event)} a deployment to ${textAt(event.body, 'workflow_job_run.environment', 'environment')}${event.inPlace}`,
    (body) => textAt(body, 'comment'),
  ),
  deployment_status: deploymentStatus,
  discussion: about({
    ...{ noun: 'discussion', at: 'discussion', key: 'discussion' },
    actions: ['created', 'answered', 'closed', 'reopened'],
  }),
  discussion_comment: newComment('discussion', 'discussion', 'discussion'),
  fork: sentence(
    ({ body, place }) =>
      md`forked ${place} to ${link(requireText(body, 'forkee.full_name'), textAt(body, 'forkee.html_url'))}`,
  ),
  gollum,
  issue_comment: newComment('issue', 'issue', 'issue'),
  issues: about({
    ...{ noun: 'issue', at: 'issue', key: 'issue' },
    actions: ['opened', 'closed', 'reopened', 'transferred', 'deleted'],
  }),
  member: sentence(
    (event) =>
      md`${verbOf(event)} ${requireText(event.body, 'member.login')} as a collaborator${event.inPlace}`,
  ),
  membership: sentence(
    (event) =>
      md`${verbOf(event)} ${requireText(event.body, 'member.login')} ${event.action === 'removed' ? 'from' : 'to'} team ${textAt(event.body, 'team.name')}`,
  ),
  meta: sentence(({ inPlace }) => md`deleted this webhook${inPlace}`),
  milestone: about({
    noun: 'milestone',
    at: 'milestone',
    actions: ['created', 'closed', 'opened', 'deleted'],
  }),
  organization: sentence((event) => {
    const user = textAt(event.body, 'membership.user.login', 'invitation.login', 'invitation.email');
    return user === ''
      ? md`${verbOf(event)} organization ${event.place}`
      : md`${verbOf(event)} ${user}${event.inPlace}`;
  }),
  package: about({ noun: 'package', at: 'package' }),
  page_build: ({ body, place, inPlace }) =>
    outcome({
      what: md`Pages build${inPlace}`,
      state: requireText(body, 'build.status'),
      key: `pages:${place}#${textAt(body, 'id')}`,
      details: textAt(body, 'build.error.message'),
    }),
  project: about({ noun: 'project', at: 'project' }),
  projects_v2: about({
    ...{ noun: 'project', at: 'projects_v2' },
    actions: ['created', 'closed', 'reopened', 'deleted'],
  }),
  public: sentence(({ place, body }) => md`made ${link(place, textAt(body, 'repository.html_url'))} public`),
  pull_request: PULL_REQUEST,
  pull_request_review: review,
  pull_request_review_comment: newComment('pull request', 'pull_request', 'pr'),
  push,
  release: about({ noun: 'release', at: 'release', actions: ['published', 'deleted', 'unpublished'] }),
  repository: about({ noun: 'repository', at: 'repository' }),
  repository_advisory: about({ noun: 'security advisory', at: 'repository_advisory' }),
  repository_import: ({ body, place, inPlace }) =>
    outcome({ what: md`Import${inPlace}`, state: requireText(body, 'status'), key: `import:${place}` }),
  repository_ruleset: about({ noun: 'ruleset', at: 'repository_ruleset' }),
  secret_scanning_alert: about({
    ...{ noun: 'secret scanning alert', at: 'alert', key: 'secret-scanning', isAlert: true },
  }),
  security_advisory: about({ noun: 'security advisory', at: 'security_advisory' }),
  security_and_analysis: sentence(({ inPlace }) => md`changed the security and analysis features${inPlace}`),
  sponsorship: sentence(({ action, body }) =>
    done(action, md`a sponsorship of ${requireText(body, 'sponsorship.sponsorable.login')}`),
  ),
  star: sentence(({ action, place }) => md`${action === 'deleted' ? 'unstarred' : 'starred'} ${place}`),
  status: commitStatus,
  team: about({ noun: 'team', at: 'team' }),
  team_add: sentence(({ body, inPlace }) => md`added team ${requireText(body, 'team.name')}${inPlace}`),
  workflow_run: completed('Workflow', 'workflow_run'),

  ping: 'the call is only a test',
  check_suite: 'a check suite is reported by its check runs',
  deployment: 'a deployment is reported by its statuses',
  merge_group: 'a merge group is reported by its checks',
  pull_request_review_thread: 'a review is reported by its comments',
  registry_package: 'the event package reports the same',
  repository_vulnerability_alert: 'the event dependabot_alert reports the same',
  watch: 'the event star reports the same',
  workflow_dispatch: 'a workflow is reported by its runs',
  workflow_job: 'a job is reported by its workflow run',
  ...ignoring(
    'an alert is reported by its own event',
    'secret_scanning_alert_location',
    'secret_scanning_scan',
  ),
  ...ignoring(
    'the event is for GitHub Apps',
    ...[
      'deployment_protection_rule',
      'github_app_authorization',
      'installation',
      'installation_repositories',
    ],
    ...[
      'installation_target',
      'marketplace_purchase',
      'personal_access_token_request',
      'repository_dispatch',
    ],
  ),
  ...ignoring(
    'the event is not shown',
    ...['custom_property', 'custom_property_promoted_to_enterprise', 'custom_property_values'],
    ...['bypass_request_push_ruleset', 'bypass_request_secret_scanning', 'dismissal_request_code_scanning'],
    ...[
      'dismissal_request_dependabot',
      'dismissal_request_secret_scanning',
      'exemption_request_push_ruleset',
    ],
    ...['exemption_request_secret_scanning', 'issue_dependencies', 'label', 'org_block', 'project_card'],
    ...['project_column', 'projects_v2_item', 'projects_v2_status_update', 'sub_issues'],
  ),
};
