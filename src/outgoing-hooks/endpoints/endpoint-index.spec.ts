import { type CalledHook, EndpointIndex } from './endpoint-index.js';

const hook = (id: string, fields: Partial<CalledHook> = {}): CalledHook => ({
  ...{ id, createAt: 1, teamId: 'team', displayName: `Hook ${id}` },
  ...{ callbackUrls: ['https://a.example/x'], disabledUrls: [], failingUrls: {} },
  ...{ disabledReason: '', lastFailureAt: 0 },
  ...fields,
});
const A = 'https://a.example';
const B = 'https://b.example';

describe('EndpointIndex', () => {
  let index: EndpointIndex;
  beforeEach(() => (index = new EndpointIndex()));

  const names = (): string[] => index.all().map(({ endpoint }) => endpoint);

  it('lists the endpoints of hooks by origin', () => {
    const callbackUrls = [`${A}/x`, `${A}:443/y`, `${B}/`, 'http://a.example/'];
    index.set(hook('1', { callbackUrls }));
    expect(names()).toEqual(['http://a.example', A, B]);
    expect(index.summary(A)).toMatchObject({ urls: 2, hookCount: 1, state: 'ok' });
  });

  it('knows failing endpoints, since when, and disabled ones', () => {
    const callbackUrls = [`${A}/x`, `${A}/y`, `${B}/`];
    const failingUrls = { [`${A}/x`]: 40, [`${A}/y`]: 30, [`${B}/`]: 20 };
    index.set(hook('1', { callbackUrls, failingUrls, lastFailureAt: 50 }));
    expect(index.summary(A)).toMatchObject({
      state: 'failing',
      since: 30,
      failingUrls: 2,
      lastFailureAt: 50,
    });
    const given = { disabledUrls: [`${B}/`, `${A}/x`], lastFailureAt: 60 };
    index = new EndpointIndex();
    index.set(hook('1', { callbackUrls, failingUrls, ...given }));
    expect(index.summary(A)).toMatchObject({ state: 'failing', since: 30, failingUrls: 1, disabledUrls: 1 });
    expect(index.summary(B)).toMatchObject({ state: 'disabled', since: 20, failingUrls: 0, disabledUrls: 1 });
  });

  it('is not disabled for all hooks while another hook still calls it', () => {
    const failingUrls = { [`${A}/x`]: 70 };
    const disabled = { disabledUrls: [`${A}/x`], failingUrls, disabledReason: 'Gone.', lastFailureAt: 80 };
    index.set(hook('1', disabled));
    expect(index.summary(A)).toMatchObject({
      state: 'disabled',
      since: 70,
      reason: 'Gone.',
      lastFailureAt: 80,
    });
    index.set(hook('2', { createAt: 0 }));
    expect(index.summary(A)).toMatchObject({ state: 'failing', since: 70, reason: 'Gone.' });
    expect(index.usesOf(A, 5).map(({ hookId, state }) => [hookId, state])).toEqual([
      ['1', 'disabled'],
      ['2', 'ok'],
    ]);
    expect(index.usesOf(A, 1)).toHaveLength(1);
  });

  it('follows hooks that change and that are removed', () => {
    index.set(hook('1', { callbackUrls: [`${A}/`, `${B}/`] }));
    index.set(hook('2'));
    expect(names()).toEqual([A, B]);
    index.set(hook('1', { disabledUrls: [`${A}/x`] }));
    expect(index.all()).toMatchObject([{ endpoint: A, hookCount: 2, state: 'failing' }]);
    index.remove('1');
    expect(index.all()).toMatchObject([{ endpoint: A, hookCount: 1, state: 'ok' }]);
    index.remove('2');
    index.remove('unknown');
    expect(index.all()).toEqual([]);
  });
});
