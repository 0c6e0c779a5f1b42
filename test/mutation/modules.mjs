/**
 * What `npm run test:mutation` mutates: the rules without I/O, and the specs that must notice. A mutant is judged by the
 * specs of its own module only.
 */
const matching = 'src/outgoing-hooks/matching';
const content = 'src/messaging/posts/content';
const dispatch = 'src/delivery/dispatch';
const outbound = 'src/delivery/outbound';
const common = 'src/platform/common';
const invites = 'src/remote-cluster/invite';
const hooks = 'src/outgoing-hooks';

export const modules = {
  matching: {
    mutate: inFolder(
      matching,
      'trigger-text',
      'trigger-matcher',
      'trigger-table',
      'team-triggers',
      'ordered-hooks',
    ),
    specs: inFolder(
      matching,
      'trigger-matcher.spec',
      'trigger-table.spec',
      'team-triggers.spec',
      'ordered-hooks.spec',
    ),
  },
  text: withSpecs(
    inFolder(content, 'slack-text', 'code-spans', 'mentions', 'channel-mentions', 'hashtags', 'props'),
  ),
  splitting: withSpecs(inFolder(content, 'split')),
  attachments: withSpecs(inFolder(content, 'attachments')),
  signature: withSpecs(inFolder(hooks, 'delivery/signature', 'outgoing-hook-secrets')),
  addresses: {
    mutate: [
      ...inFolder(outbound, 'address-guard', 'callable-url', 'guarded-connector'),
      ...inFolder(common, 'ip-address'),
    ],
    specs: [
      ...inFolder(outbound, 'address-guard.spec', 'special-addresses.spec', 'callable-url.spec'),
      ...inFolder(outbound, 'guarded-connector.spec'),
      ...inFolder(common, 'ip-address.spec'),
    ],
  },
  schedule: withSpecs(inFolder(dispatch, 'schedule', 'failure-verdict', 'job')),
  bulkheads: {
    mutate: inFolder(dispatch, 'bulkheads', 'lane-calls'),
    specs: inFolder(dispatch, 'bulkheads.spec'),
  },
  lanes: {
    mutate: inFolder(dispatch, 'lane', 'lane-states', 'lane-name', 'fifo', 'claims'),
    specs: inFolder(
      dispatch,
      'lane.spec',
      'lane-name.spec',
      'fifo.spec',
      'claims.spec',
      'dispatcher.model.spec',
    ),
  },
  invites: {
    mutate: inFolder(invites, 'invite', 'invite-codec', 'invite-password'),
    specs: inFolder(invites, 'invite.spec'),
  },
  sequence: withSpecs(inFolder(common, 'sequence')),
  redaction: withSpecs(inFolder(dispatch, 'redact')),
  json: withSpecs(inFolder(common, 'json')),
  paging: withSpecs(inFolder(common, 'dto/params')),
  limits: withSpecs(inFolder(common, 'bounded-limit')),
};

function inFolder(folder, ...names) {
  return names.map((name) => `${folder}/${name}.ts`);
}

function withSpecs(files) {
  return { mutate: files, specs: files.map((file) => file.replace(/\.ts$/, '.spec.ts')) };
}
