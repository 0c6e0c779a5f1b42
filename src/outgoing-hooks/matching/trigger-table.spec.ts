import { prepareMessage, prepareTriggers } from './trigger-matcher.js';
import { TriggerTable } from './trigger-table.js';

/** Adds these triggers, and returns a function that lists the triggers compared with a message. */
function tableOf(words: readonly string[]): (message: string) => string[] {
  let compared: string[] = [];
  const table = new TriggerTable();
  prepareTriggers({ triggerWords: words, triggerWhen: 0 }).forEach((trigger, index) => {
    let isAdded = false;
    const watched = {
      ...trigger,
      get isBlank() {
        if (isAdded) compared.push(trigger.word);
        return trigger.isBlank;
      },
    };
    table.add(watched, index);
    isAdded = true;
  });
  return (message) => {
    compared = [];
    table.find(prepareMessage(message), new Set());
    return compared;
  };
}

describe('TriggerTable', () => {
  it('compares a message with the triggers that share a word with it', () => {
    const comparedWith = tableOf(Array.from({ length: 1_000 }, (_, index) => `deploy${index}`));
    expect(comparedWith('please deploy17 now')).toEqual(['deploy17']);
    expect(comparedWith('deploy')).toEqual([]);
    expect(comparedWith('deploy17 deploy17')).toEqual(['deploy17']);
  });

  it('compares it with few of the triggers that share words with many others', () => {
    const comparedWith = tableOf(Array.from({ length: 500 }, (_, index) => `please deploy ${index}`));
    expect(comparedWith('please deploy 417').length).toBeLessThan(5);
  });

  it.each([
    ['a deployment', 'a b', []],
    ['deployment a', 'a b', []],
    ['deployment a', 'deployment', ['deployment a']],
    ['! deploy', '! x', []],
    ['! b', '! x', []],
    ['deploy !', '! x', []],
    ['deploy ! b', '! b', []],
    [' !', 'a b', []],
    [' !', 'a!', [' !']],
    ['! ?', '?', []],
    ['👍!', '!', []],
    ['👍!', '👍', ['👍!']],
  ])('looks up %j by its rarest part: %j compares %j', (word, message, compared) => {
    expect(tableOf([word])(message)).toEqual(compared);
  });

  it('finds triggers by the first word of a message', () => {
    const table = new TriggerTable<string>();
    const triggers = prepareTriggers({ triggerWords: ['de', 'deploy', 'deploy now'], triggerWhen: 2 });
    for (const trigger of triggers) table.add(trigger, trigger.word);
    const found = (message: string): string[] => {
      const watchers = new Set<string>();
      table.find(prepareMessage(message), watchers);
      return [...watchers];
    };
    expect(found(' deploy  now')).toEqual(['deploy', 'deploy now']);
    expect(found('deploy')).toEqual(['deploy']);
    for (const message of ['deployment', 'deploy, now', 'please deploy', 'd', ''])
      expect(found(message)).toEqual([]);
    for (const trigger of triggers) table.remove(trigger, trigger.word);
    expect(found('deploy now')).toEqual([]);
  });
});
