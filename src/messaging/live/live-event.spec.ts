import { readFrame } from '../../../test/support/frames.js';
import { EventFrames, EventText, failReply, okReply } from './live-event.js';
import { invalidFrameParam } from './live.errors.js';

const parse = (event: EventFrames, seq: number): unknown => JSON.parse(readFrame(event, seq));

describe('EventText', () => {
  const broadcast = {
    omit_users: null,
    user_id: '',
    channel_id: '',
    team_id: '',
    connection_id: '',
    omit_connection_id: '',
  };

  it('has the shape of the contract', () => {
    const text = new EventText(
      'typing',
      { user_id: 'u', parent_id: '' },
      { channelId: 'c', omitUsers: ['u'] },
    );
    expect(parse(text.with(undefined), 7)).toEqual({
      event: 'typing',
      data: { user_id: 'u', parent_id: '' },
      broadcast: { ...broadcast, channel_id: 'c', omit_users: { u: true } },
      seq: 7,
    });
  });

  it('adds keys for one receiver', () => {
    const text = new EventText('posted', { post: '{"a":"}"}' }, { channelId: 'c' });
    expect(parse(text.with({ mentions: '["u"]' }), 0)).toMatchObject({
      data: { post: '{"a":"}"}', mentions: '["u"]' },
    });
    expect(parse(text.with(undefined), 0)).toMatchObject({ data: { post: '{"a":"}"}' } });
    expect(parse(text.with({}), 0)).toMatchObject({ data: { post: '{"a":"}"}' } });
  });

  it('adds keys to empty data', () => {
    const text = new EventText('x', {}, {});
    expect(parse(text.with(undefined), 1)).toEqual({ event: 'x', data: {}, broadcast, seq: 1 });
    expect(parse(text.with({ a: 1 }), 1)).toEqual({ event: 'x', data: { a: 1 }, broadcast, seq: 1 });
  });

  it('marks the halves of a split event', () => {
    const half = (split: 'admins' | 'others'): unknown =>
      parse(new EventText('x', {}, { split }).with(undefined), 0);
    expect(half('admins')).toMatchObject({ broadcast: { contains_sensitive_data: true } });
    expect(half('others')).toMatchObject({ broadcast: { contains_sanitized_data: true } });
  });
});

describe('EventFrames', () => {
  it('are valid frames of any length, with any number', () => {
    const sizes = [0, 1, 80, 95, 96, 97, 98, 99, 100, 65_490, 65_508, 65_509, 65_510, 65_511, 65_512, 70_000];
    for (const size of sizes) {
      const text = 'é'.repeat(size / 2) + 'x'.repeat(size % 2);
      const event = new EventFrames(`{"text":"${text}","seq":`);
      for (const seq of [0, 9, 10, Number.MAX_SAFE_INTEGER]) expect(parse(event, seq)).toEqual({ text, seq });
    }
  });

  it('share the bytes before the number', () => {
    const event = new EventText('posted', { post: '{}' }, {}).with(undefined);
    expect(event.start.toString('utf8', 4)).toBe(readFrame(event, 1).slice(0, -17));
    expect(event.start.buffer.byteLength).toBe(event.start.length);
  });
});

describe('replies', () => {
  it('contain OK', () => {
    const data = { text: 'pong' };
    expect(JSON.parse(okReply(3))).toEqual({ status: 'OK', seq_reply: 3 });
    expect(JSON.parse(okReply(3, data))).toEqual({ status: 'OK', seq_reply: 3, data });
  });

  it.each([2, 0])('contain FAIL with the error, and the number %i unless it is missing', (seq) => {
    const id = 'api.websocket_handler.invalid_param.app_error';
    const error = { id, message: expect.any(String), detailed_error: '', status_code: 400 };
    const numbered = seq > 0 ? { seq_reply: seq } : {};
    const reply: unknown = JSON.parse(failReply(seq, invalidFrameParam('user_ids'), false));
    expect(reply).toEqual({ status: 'FAIL', ...numbered, error });
  });
});
