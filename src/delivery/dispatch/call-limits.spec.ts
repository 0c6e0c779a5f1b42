import { type CallResult, Circuit, CIRCUIT_LIMITS } from './call-limits.js';

const { failuresInARow, callsAtATime, shortPauseMs } = CIRCUIT_LIMITS;
const MINUTE_MS = 60_000;

describe('Circuit', () => {
  let circuit: Circuit;
  let now: number;

  beforeEach(() => {
    circuit = new Circuit(CIRCUIT_LIMITS);
    now = 5_000_000;
  });

  const fail = (count: number, result: CallResult): void => {
    for (let call = 0; call < count; call++) circuit.answered(result, now);
  };
  /** How long the circuit stays paused. */
  const pauseMs = (): number => {
    const startedAt = now;
    while (circuit.isPaused) if (!circuit.resume(now)) now += 50;
    return now - startedAt;
  };

  it('pauses an endpoint after many failures in a row', () => {
    for (const result of ['unreachable', 'failed'] as const) {
      fail(failuresInARow - 1, result);
      expect([circuit.isPaused, circuit.isProbing]).toEqual([false, false]);
      circuit.answered('succeeded', now);
    }
  });

  it('probes an unreachable endpoint with increasing intervals, up to a minute', () => {
    fail(failuresInARow, 'unreachable');
    expect([circuit.isPaused, circuit.isProbing]).toEqual([true, true]);
    const pauses = Array.from({ length: 8 }, () => {
      const paused = pauseMs();
      expect([circuit.isPaused, circuit.isProbing]).toEqual([false, true]);
      circuit.answered('unreachable', now);
      return paused;
    });
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('does not pause longer for calls that began before the pause', () => {
    fail(failuresInARow + 5, 'unreachable');
    expect(pauseMs()).toBe(1_000);
  });

  it('pauses for as long when the endpoint becomes unreachable during a short pause', () => {
    while (!circuit.isPaused) circuit.answered('failed', now);
    fail(failuresInARow, 'unreachable');
    expect(circuit.isProbing).toBe(true);
    expect(pauseMs()).toBe(1_000);
  });

  it.each(['succeeded', 'failed'] as const)('resumes with the first answer: %s', (result) => {
    fail(failuresInARow, 'unreachable');
    pauseMs();
    fail(1, 'unreachable');
    circuit.answered(result, now); // from a call that was already running
    expect([circuit.isPaused, circuit.isProbing]).toEqual([false, false]);
    fail(failuresInARow - 1, 'unreachable');
    expect(circuit.isProbing).toBe(false);
    pauseMs();
    fail(1, 'unreachable');
    expect(pauseMs()).toBe(1_000);
  });

  it('keeps calling an endpoint that answers with failures, but slowly', () => {
    const startedAt = now;
    let calls = 0;
    for (; now - startedAt < MINUTE_MS; calls++) {
      circuit.answered('failed', now);
      pauseMs();
    }
    expect(circuit.isProbing).toBe(false);
    expect(calls - failuresInARow).toBeCloseTo((callsAtATime * MINUTE_MS) / shortPauseMs, -2);
    fail(callsAtATime, 'failed');
    expect(circuit.isPaused).toBe(true);
    circuit.answered('succeeded', now);
    expect(circuit.isPaused).toBe(false);
  });

  it('does not resume early', () => {
    expect(circuit.resume(Infinity)).toBe(false);
    fail(failuresInARow, 'unreachable');
    expect([circuit.resume(now + 999), circuit.isPaused]).toEqual([false, true]);
    expect([circuit.resume(now + 1_000), circuit.isPaused]).toEqual([true, false]);
  });
});
