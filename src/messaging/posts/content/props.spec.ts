import { ValidationFailed } from '../../../platform/common/errors/common-errors.js';
import { acceptedProps, attachmentsOf, editedProps, remoteProps } from './props.js';

describe('acceptedProps', () => {
  it("keeps the client's props and drops reserved ones", () => {
    const sent = {
      mine: 1,
      from: 'me',
      Override_Icon_Url: 'https://example.com/admin.png',
      webhook_display_name: 'Alerts',
      from_anything: 'true',
      add_channel_member: {},
      force_notification: 'x',
      channel_mentions: {},
      previewed_post: 'id',
    };
    expect(acceptedProps(sent)).toEqual({ mine: 1, from: 'me' });
    expect(sent).toHaveProperty('add_channel_member');
  });

  it('normalises attachments', () => {
    const props = acceptedProps({ attachments: [null, { Text: 'hello' }] });
    expect(attachmentsOf(props)).toEqual([expect.objectContaining({ text: 'hello', title: '' })]);
    expect(acceptedProps({ attachments: [null] })).toEqual({});
    expect(attachmentsOf({})).toEqual([]);
  });

  it('refuses oversized attachments, and does not hide other errors', () => {
    const empty = Array.from({ length: 20_000 }, () => ({}));
    expect(() => acceptedProps({ attachments: empty })).toThrow(ValidationFailed);
    const broken = {
      get text(): string {
        throw new RangeError('broken');
      },
    };
    expect(() => acceptedProps({ attachments: [broken] })).toThrow(RangeError);
  });

  it('does not let a key change the prototype of the props or of a copy', () => {
    const sent = '{"__proto__": {"from_webhook": "true"}, "constructor": 1, "prototype": 2, "mine": 3}';
    const props = acceptedProps(JSON.parse(sent) as Record<string, unknown>);
    expect(Object.keys(props)).toEqual(['mine']);
    expect(Object.assign({}, props)['from_webhook']).toBeUndefined();
  });
});

describe('editedProps', () => {
  it('keeps the origin of the post', () => {
    expect(editedProps({ a: 1, from_webhook: 'false' }, { from_webhook: 'true', b: 2 })).toStrictEqual({
      a: 1,
      from_webhook: 'true',
    });
    const origin = { from_webhook: '1', from_bot: '2', from_oauth_app: '3', from_plugin: '4' };
    expect(editedProps({}, origin)).toStrictEqual(origin);
  });
});

describe('remoteProps', () => {
  it('shows the server in the name of a remote program', () => {
    const webhook = { from_webhook: 'true' };
    const named = (override_username: string): object =>
      remoteProps({ a: 1, ...webhook, override_username, webhook_display_name: 'CI' }, 'branch');
    expect(named('Build bot')).toStrictEqual({ a: 1, ...webhook, override_username: 'Build bot:branch' });
    expect(named('')).toStrictEqual({ a: 1, ...webhook });
    expect(named('x'.repeat(100))).toMatchObject({ override_username: `${'x'.repeat(64)}:branch` });
  });

  it.each([undefined, true, 'false'])('ignores the name of a user (from_webhook: %p)', (from_webhook) => {
    expect(remoteProps({ from_webhook, override_username: 'admin' }, 'branch')).toStrictEqual({});
  });
});
