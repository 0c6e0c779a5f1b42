import { endpointLane, isOrderedLane, orderedLane } from './delivery-kind.js';

describe('laneName', () => {
  it('is the order key, if there is one', () => {
    expect(orderedLane('peer')).toBe('order:peer');
    expect(['order:peer', 'http://order:1', 'peer'].map(isOrderedLane)).toEqual([true, false, false]);
  });

  it('is otherwise the origin of the URL, truncated to the column size', () => {
    expect(endpointLane('HTTPS://Hook.example:443/a?b#c')).toBe('https://hook.example');
    expect(endpointLane('http://hook.example:8080/')).toBe('http://hook.example:8080');
    const host = Array.from({ length: 40 }, () => 'longlabel').join('.');
    expect(endpointLane(`http://${host}/`)).toBe(`http://${host}`.slice(0, 300));
  });
});
