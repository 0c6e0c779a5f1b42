/**
 * The cost of trigger words for a post that matches none: testing each hook against using the index of the team.
 *
 *   npm run build && node bench/matching.mjs
 */
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';

const require = createRequire(import.meta.url);
const matching = '../dist/src/outgoing-hooks/matching';
const { TeamTriggers } = require(`${matching}/team-triggers.js`);
const { firingWord, prepareMessage, prepareTriggers } = require(`${matching}/trigger-matcher.js`);

const ROUNDS = 5;
const ROUND_MS = 150;
const VOCABULARY =
  'the build of this service is green again, and we ship it to staging as soon as Größe and 部署 are done! '.split(
    ' ',
  );

/** Hooks with four realistic triggers each. */
const styles = {
  'words of their own': (n) => [`deploy${n}`, `!run${n}`, `release train ${n}`, `#build-${n}`],
  'words that messages have too': (n) => [`service ${n}`, `ship it ${n}`, `the build ${n}`, `is green? ${n}`],
};
const hooksOf = (count, style) =>
  Array.from({ length: count }, (_, n) => ({
    id: String(n),
    channelId: '',
    triggerWhen: [0, 0, 2, 1][n % 4],
    triggerWords: styles[style](n),
    events: ['message.triggered'],
  }));

function messageOf(length) {
  let text = '';
  for (let n = 0; text.length < length; n++) text += `${VOCABULARY[n % VOCABULARY.length]} `;
  return text.slice(0, length);
}

function eachHook(hooks) {
  const prepared = hooks.map((hook) => ({ hook, triggers: prepareTriggers(hook) }));
  return (message) => {
    if (prepared.length === 0) return 0;
    const text = prepareMessage(message);
    return prepared.filter(({ hook, triggers }) => firingWord(text, triggers, hook) !== undefined).length;
  };
}

function index(hooks) {
  const triggers = new TeamTriggers(hooks);
  return (message) => triggers.firing('here', message).length;
}

/** Microseconds per call, as the median of the rounds. */
function measure(ask, message) {
  if (ask(message) !== 0) throw new Error('The message was to match nothing.');
  const rounds = Array.from({ length: ROUNDS + 1 }, () => {
    const start = performance.now();
    let calls = 0;
    do for (let n = 0; n < 10; n++, calls++) ask(message);
    while (performance.now() - start < ROUND_MS);
    return ((performance.now() - start) / calls) * 1000;
  });
  return rounds.slice(1).sort((a, b) => a - b)[ROUNDS >> 1];
}

const rows = [];
for (const style of Object.keys(styles))
  for (const count of [0, 10, 1000])
    for (const length of [200, 16_383]) {
      const hooks = hooksOf(count, style);
      const message = messageOf(length);
      rows.push({
        triggers: style,
        hooks: count,
        'message length': length,
        'each hook, µs': Number(measure(eachHook(hooks), message).toFixed(2)),
        'index, µs': Number(measure(index(hooks), message).toFixed(2)),
      });
    }
console.table(rows);

const many = hooksOf(1000, 'words of their own');
const start = performance.now();
for (let n = 0; n < 20; n++) new TeamTriggers(many);
console.log(`Building the index of 1000 hooks: ${((performance.now() - start) / 20).toFixed(1)} ms`);
