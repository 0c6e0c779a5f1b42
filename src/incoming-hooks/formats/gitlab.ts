import type { JsonObject } from '../../platform/common/json.js';
import {
  type Event,
  handled,
  type Handlers,
  ignoredAction,
  outcome,
  pushed,
  refName,
  shortHash,
} from './forge.js';
import { COLOR, type Formatted, keyOf, link, md, report } from './layout.js';
import { countAt, requireObject, requireText, textAt, unexpected } from './sent.js';

/** Formats the calls of GitLab (docs/contract/incoming-webhooks.md#formats). Throws PayloadError. */
export function gitlab(body: JsonObject): Formatted {
  const name = textAt(body, 'object_kind', 'event_name');
  if (name === '') throw unexpected('object_kind is missing');
  return handled(EVENTS, name, eventOf(name, body));
}

function eventOf(name: string, body: JsonObject): Event {
  const place = textAt(
    body,
    'project.path_with_namespace',
    'group.full_path',
    'group.group_path',
    'project_name',
  );
  const inPlace =
    place === '' ? md`` : md` in ${link(place, textAt(body, 'project.web_url', 'group.web_url'))}`;
  const actor = textAt(body, 'user.username', 'user_username', 'user.name', 'user_name') || 'Somebody';
  const action = textAt(body, 'object_attributes.action', 'action');
  return { name, body, action, actor: md`${actor}`, place, inPlace };
}

const VERBS: Readonly<Record<string, readonly [verb: string, color: string]>> = {
  open: ['opened', COLOR.good],
  close: ['closed', COLOR.neutral],
  reopen: ['reopened', COLOR.good],
  merge: ['merged', COLOR.merged],
  approved: ['approved', COLOR.good],
  unapproved: ['withdrew the approval of', COLOR.warning],
  create: ['created', COLOR.good],
  delete: ['deleted', COLOR.neutral],
};

/** An issue, a merge request and the like, with an action in `object_attributes`. */
const about =
  (noun: string, key?: string, sign = '#') =>
  ({ name, body, action, actor, place, inPlace }: Event): Formatted => {
    const object = requireObject(body, 'object_attributes');
    const [verb, color] = (Object.hasOwn(VERBS, action) && VERBS[action]) || [];
    if (verb === undefined) return ignoredAction(name, action);
    const number = textAt(object, 'iid');
    const title = textAt(object, 'title', 'name', 'tag');
    const what = link(key === undefined ? title : `${sign}${number} ${title}`, textAt(object, 'url'));
    return report({
      text: md`${actor} ${verb} ${noun} ${what}${inPlace}`,
      ...(color !== undefined && { color }),
      details: action === 'open' ? textAt(object, 'description') : '',
      ...(key !== undefined && { key: keyOf(`${key}:${place}${sign}${number}`) }),
    });
  };

const NOTES: Readonly<Record<string, readonly [at: string, noun: string, key: string]>> = {
  Issue: ['issue', 'issue', 'issue:#'],
  WorkItem: ['issue', 'issue', 'issue:#'],
  MergeRequest: ['merge_request', 'merge request', 'mr:!'],
};

function note({ body, action, actor, place, inPlace }: Event): Formatted {
  const said = requireObject(body, 'object_attributes');
  if (action === 'update') return ignoredAction('note', action);
  const url = textAt(said, 'url');
  const type = requireText(said, 'noteable_type');
  const [at, noun, key = ''] = (Object.hasOwn(NOTES, type) && NOTES[type]) || [];
  const shown = { color: COLOR.info, details: textAt(said, 'note') };
  if (at === undefined) {
    const subject = type === 'Commit' ? `commit ${shortHash(textAt(body, 'commit.id'))}` : 'a snippet';
    return report({ text: md`${actor} ${link('commented on', url)} ${subject}${inPlace}`, ...shown });
  }
  const [prefix, sign = ''] = key.split(':');
  const number = textAt(body, `${at}.iid`);
  const title = `${sign}${number} ${textAt(body, `${at}.title`)}`;
  return report({
    text: md`${actor} ${link('commented on', url)} ${noun} ${title}${inPlace}`,
    ...shown,
    key: keyOf(`${prefix}:${place}${sign}${number}`),
    onKey: 'thread',
  });
}

function push(event: Event): Formatted {
  const { body, actor, inPlace } = event;
  const isTag = body['object_kind'] === 'tag_push';
  const ref = refName(requireText(body, 'ref'));
  const total = Number(textAt(body, 'total_commits_count')) || countAt(body, 'commits');
  const isDeleted = /^0+$/.test(textAt(body, 'after'));
  if (isDeleted || total === 0 || isTag)
    return report({
      text: md`${actor} ${isDeleted ? 'deleted' : 'pushed'} ${isTag ? 'tag' : 'branch'} ${ref}${inPlace}`,
      color: COLOR.neutral,
    });
  return pushed(event, 'compare', total);
}

const FINAL = new Set(['success', 'failed', 'canceled', 'manual']);

function pipeline({ body, place, inPlace }: Event): Formatted {
  const run = requireObject(body, 'object_attributes');
  const state = requireText(run, 'status');
  if (!FINAL.has(state)) return { ignored: `a pipeline that is ${state.slice(0, 100)} is not shown` };
  return outcome({
    what: md`Pipeline ${link(`#${textAt(run, 'id')}`, textAt(run, 'url'))}${inPlace}`,
    state,
    key: `pipeline:${place}#${textAt(run, 'id')}`,
    details: textAt(body, 'commit.title', 'commit.message'),
    fields: {
      Branch: textAt(run, 'ref'),
      Commit: shortHash(textAt(run, 'sha')),
      Seconds: textAt(run, 'duration'),
    },
  });
}

function build({ body, place, inPlace }: Event): Formatted {
  const state = requireText(body, 'build_status');
  if (state !== 'failed') return { ignored: 'only failed jobs are shown: pipelines report the others' };
  return outcome({
    what: md`Job ${requireText(body, 'build_name')}${inPlace}`,
    state,
    key: `job:${place}#${textAt(body, 'build_id')}`,
    fields: { Stage: textAt(body, 'build_stage'), Reason: textAt(body, 'build_failure_reason') },
  });
}

function deployment({ body, place, inPlace }: Event): Formatted {
  return outcome({
    what: md`Deployment to ${link(textAt(body, 'environment'), textAt(body, 'deployable_url'))}${inPlace}`,
    state: requireText(body, 'status'),
    key: `deployment:${place}#${textAt(body, 'deployment_id')}`,
    details: textAt(body, 'commit_title'),
    fields: { Ref: textAt(body, 'ref'), Commit: textAt(body, 'short_sha') },
  });
}

function vulnerability({ body, place, inPlace }: Event): Formatted {
  const found = requireObject(body, 'object_attributes');
  const state = textAt(found, 'state');
  const isSettled = state === 'resolved' || state === 'dismissed';
  return report({
    text: md`Vulnerability ${link(textAt(found, 'title'), textAt(found, 'url'))} ${state}${inPlace}`,
    color: isSettled ? COLOR.good : COLOR.bad,
    fields: [['Severity', textAt(found, 'severity')]],
    key: keyOf(`vulnerability:${place}:${textAt(found, 'url', 'title')}`),
    onKey: isSettled ? 'resolve' : 'thread',
  });
}

const expiring =
  (noun: string) =>
  ({ body, inPlace }: Event): Formatted =>
    report({
      text: md`${noun} ${requireText(body, 'object_attributes.name')} expires soon${inPlace}`,
      color: COLOR.warning,
      fields: [['Expires', textAt(body, 'object_attributes.expires_at')]],
    });

/** A change of members, subgroups or projects, such as `user_add_to_group`. */
const change =
  (what: string, ...names: readonly string[]) =>
  ({ body }: Event): Formatted =>
    report({
      text: md`${textAt(body, ...names)} ${what} ${textAt(body, 'group_name')}`,
      color: COLOR.neutral,
    });

/** Every `object_kind` and `event_name` of GitLab's documentation: how it is shown, or why it is not. */
export const EVENTS: Handlers<Event> = {
  push,
  tag_push: push,
  issue: about('issue', 'issue'),
  work_item: about('issue', 'issue'),
  merge_request: about('merge request', 'mr', '!'),
  note,
  wiki_page: about('wiki page'),
  pipeline,
  build,
  deployment,
  release: ({ body, action, inPlace }) => {
    if (action === 'update') return ignoredAction('release', action);
    return report({
      text: md`Release ${link(requireText(body, 'name'), textAt(body, 'url'))} was ${action}d${inPlace}`,
      color: COLOR.good,
      details: action === 'create' ? textAt(body, 'description') : '',
    });
  },
  milestone: about('milestone'),
  feature_flag: ({ body, actor, inPlace }) =>
    report({
      text: md`${actor} changed feature flag ${requireText(body, 'object_attributes.name')}${inPlace}`,
      color: COLOR.info,
      fields: [['Active', textAt(body, 'object_attributes.active')]],
    }),
  access_token: expiring('Access token'),
  deploy_token: expiring('Deploy token'),
  vulnerability,
  user_add_to_group: change('was added to the group', 'user_username', 'user_name'),
  user_update_for_group: change('has another role in the group', 'user_username', 'user_name'),
  user_remove_from_group: change('was removed from the group', 'user_username', 'user_name'),
  user_access_request_to_group: change('requests access to the group', 'user_username', 'user_name'),
  user_access_request_denied_for_group: change(
    'was denied access to the group',
    'user_username',
    'user_name',
  ),
  project_create: change('was created', 'path_with_namespace', 'name'),
  project_destroy: change('was deleted', 'path_with_namespace', 'name'),
  subgroup_create: change('was created', 'full_path', 'name'),
  subgroup_destroy: change('was deleted', 'full_path', 'name'),

  emoji: 'reactions are not shown',
};
