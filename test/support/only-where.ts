/** `describe` and `it` for tests that need `isPossible`; elsewhere these tests are skipped with a reason. */
export function onlyWhere(
  isPossible: boolean,
  reason: string,
): { readonly describe: jest.Describe; readonly it: jest.It } {
  if (isPossible) return { describe, it };
  // A test that is skipped without a reason fails the run: test/jest/reporter.cjs.
  const withReason = (skip: (title: string, body: () => void, timeoutMs?: number) => void) =>
    ((title, body, timeoutMs) => skip(`${title} [skipped: ${reason}]`, body, timeoutMs)) as typeof skip;
  return {
    describe: withReason(describe.skip) as jest.Describe,
    it: withReason(it.skip) as jest.It,
  };
}
