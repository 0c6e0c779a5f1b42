/**
 * The modules that `npm run test:mutation` mutates: rules without I/O, and the specs that must detect mutations. A
 * mutant is tested only by the specs of its own module.
 */
const matching = 'src/outgoing-hooks/matching';
const content = 'src/messaging/posts/content';
const dispatch = 'src/delivery/dispatch';
const outbound = 'src/delivery/outbound';
const common = 'src/platform/common';
const invites = 'src/remote-cluster';
const hooks = 'src/outgoing-hooks';

export const modules = {
  matching: {
    mutate: inFolder(matching, 'trigger-text', 'trigger-matcher', 'trigger-table', 'team-triggers'),
    specs: inFolder(matching, 'trigger-matcher.spec', 'trigger-table.spec', 'team-triggers.spec'),
  },
  text: withSpecs(inFolder(content, 'slack-text', 'code-ranges', 'mentions', 'props')),
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
  schedule: withSpecs(inFolder(dispatch, 'outcome')),
  bulkheads: {
    mutate: inFolder(dispatch, 'bulkheads', 'call-limits'),
    specs: inFolder(dispatch, 'bulkheads.spec'),
  },
  lanes: {
    mutate: inFolder(dispatch, 'lane', 'lane-states', 'delivery-kind'),
    specs: inFolder(dispatch, 'lane.spec', 'delivery-kind.spec', 'claims.spec', 'dispatcher.model.spec'),
  },
  invites: withSpecs(inFolder(invites, 'invite')),
  sequence: withSpecs(inFolder(common, 'sequence')),
  redaction: withSpecs(inFolder(dispatch, 'attempt')),
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
