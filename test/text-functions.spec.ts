import { FOLDERS_WITHOUT_TEXT, FUNCTIONS_WITHOUT_FIGURE } from './support/linear-cost/exceptions.js';
import { functionsWithText } from './support/linear-cost/source-code.js';
import { TEXT_FUNCTIONS } from './support/linear-cost/text-functions.js';

describe('functions that take text', () => {
  const functions = functionsWithText();
  const explained = Object.values(FUNCTIONS_WITHOUT_FIGURE).flat();

  it('are all measured by linear-cost.spec.ts, or listed as exceptions', () => {
    const missing = functions.filter(
      (name) =>
        !(name in TEXT_FUNCTIONS) &&
        !explained.includes(name) &&
        !FOLDERS_WITHOUT_TEXT.some((folder) => name.startsWith(folder)),
    );
    expect(missing).toEqual([]);
  });

  it('exist, if they are listed as exceptions', () => {
    expect(explained.filter((name) => !functions.includes(name) || name in TEXT_FUNCTIONS)).toEqual([]);
  });
});
