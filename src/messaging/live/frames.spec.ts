import { eventFrame, EventText, failReply, okReply } from './frames.js';
import { InvalidFrameParam } from './live.errors.js';

const parse = (text: string, seq: number): unknown => JSON.parse(eventFrame(text, seq));

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

describe('replies', () => {
  it('say OK', () => {
    expect(JSON.parse(okReply(3))).toEqual({ status: 'OK', seq_reply: 3 });
    expect(JSON.parse(okReply(3, { text: 'pong' }))).toEqual({
      status: 'OK',
      seq_reply: 3,
      data: { text: 'pong' },
    });
  });

  it('say FAIL with the error, and leave out a missing number', () => {
    const error = {
      id: 'api.websocket_handler.invalid_param.app_error',
      message: expect.any(String),
      detailed_error: '',
      status_code: 400,
    };
    expect(JSON.parse(failReply(2, new InvalidFrameParam('user_ids'), false))).toEqual({
      status: 'FAIL',
      seq_reply: 2,
      error,
    });
    expect(JSON.parse(failReply(0, new InvalidFrameParam('user_ids'), false))).toEqual({
      status: 'FAIL',
      error,
    });
  });
});
