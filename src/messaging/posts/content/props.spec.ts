import { InvalidBodyParam, ValidationFailed } from '../../../platform/common/errors/common-errors.js';
import { acceptedProps, attachmentsOf, editedProps } from './props.js';

describe('acceptedProps', () => {
  it("keeps the client's props and drops reserved ones", () => {
    const sent = {
      mine: 1,
      override_username: 'bot',
      add_channel_member: {},
      force_notification: 'x',
      channel_mentions: {},
      previewed_post: 'id',
    };
    expect(acceptedProps(sent)).toEqual({ mine: 1, override_username: 'bot' });
    expect(sent).toHaveProperty('add_channel_member');
  });

  it('normalises attachments', () => {
    const props = acceptedProps({ attachments: [null, { Text: 'hello' }] });
    expect(attachmentsOf(props)).toEqual([
      expect.objectContaining({ text: 'hello', fields: null, title: '' }),
    ]);
    expect(acceptedProps({ attachments: [null] })).toEqual({});
    expect(acceptedProps({ attachments: null })).toEqual({});
    expect(attachmentsOf({})).toEqual([]);
  });

  it('names the invalid field', () => {
    const attempt = (): unknown => acceptedProps({ attachments: [{ fields: [{ short: 3 }] }] });
    expect(attempt).toThrow(InvalidBodyParam);
    expect(attempt).toThrow(
      'Invalid props.attachments.0.fields.0.short in request body: must be true or false',
    );
  });

  it('refuses attachments that are too large, and hides no other failure', () => {
    const empty = Array.from({ length: 20_000 }, () => ({}));
    expect(() => acceptedProps({ attachments: empty })).toThrow(ValidationFailed);
    const broken = {
      get text(): string {
        throw new RangeError('broken');
      },
    };
    expect(() => acceptedProps({ attachments: [broken] })).toThrow(RangeError);
  });

  it('does not let a key change the prototype', () => {
    const props = acceptedProps(JSON.parse('{"__proto__": {"polluted": true}}') as Record<string, unknown>);
    expect(props['polluted']).toBeUndefined();
  });
});

describe('editedProps', () => {
  it('keeps where the post came from', () => {
    expect(editedProps({ a: 1, from_webhook: 'false' }, { from_webhook: 'true', b: 2 })).toStrictEqual({
      a: 1,
      from_webhook: 'true',
    });
    const origin = { from_webhook: '1', from_bot: '2', from_oauth_app: '3', from_plugin: '4' };
    expect(editedProps({}, origin)).toStrictEqual(origin);
  });
});
