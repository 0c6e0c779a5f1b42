import { BusPeers } from './bus-peers.js';

describe('BusPeers', () => {
  const message = (peers: BusPeers, number: number, now = 0) => peers.hear('a', number, true, now, false);
  const tick = (peers: BusPeers, number: number, now = 0) => peers.hear('a', number, false, now, false);

  it('detects a lost message with the next message or the next tick', () => {
    const peers = new BusPeers();
    expect(message(peers, 1)).toEqual({ isNew: true, hasMissed: false });
    expect(message(peers, 2)).toEqual({ isNew: false, hasMissed: false });
    expect(tick(peers, 2).hasMissed).toBe(false);
    expect(message(peers, 4).hasMissed).toBe(true);
    expect(message(peers, 5).hasMissed).toBe(false);
    expect(tick(peers, 6).hasMissed).toBe(true);
    expect(tick(peers, 6).hasMissed).toBe(false);
  });

  it('has missed messages from before a process was heard, but not from before its own start', () => {
    expect(tick(new BusPeers(), 0).hasMissed).toBe(false);
    expect(tick(new BusPeers(), 1).hasMissed).toBe(true);
    expect(message(new BusPeers(), 2).hasMissed).toBe(true);
    expect(new BusPeers().hear('a', 100, true, 0, true)).toEqual({ isNew: true, hasMissed: false });
  });

  it('reports a silent process once, and knows whether anything was missed when it returns', () => {
    const peers = new BusPeers();
    tick(peers, 7, 0);
    expect(peers.takeSilent(2_999)).toEqual([]);
    expect(peers.takeSilent(3_000)).toEqual(['a']);
    expect(peers.takeSilent(3_001)).toEqual([]);
    expect(tick(peers, 7, 4_000)).toEqual({ isNew: true, hasMissed: false });
    expect(peers.takeSilent(7_000)).toEqual(['a']);
    expect(tick(peers, 8, 8_000)).toEqual({ isNew: true, hasMissed: true });
  });

  it('ignores silence while no process could be heard', () => {
    const peers = new BusPeers();
    tick(peers, 0, 0);
    peers.excuse(10_000);
    expect(peers.takeSilent(12_999)).toEqual([]);
    expect(peers.takeSilent(13_000)).toEqual(['a']);
  });

  it('accepts a goodbye once', () => {
    const peers = new BusPeers();
    tick(peers, 0, 0);
    expect([peers.leave('a'), peers.leave('a'), peers.leave('b')]).toEqual([true, false, false]);
    expect(peers.takeSilent(5_000)).toEqual([]);
  });
});
