import { createHmac, randomBytes } from 'node:crypto';
import { signatureHeaders } from './call-headers.js';

const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;
const ID = 'd8f8zcm5wtd5jfzn8u5fxpbkje';
const BODY = '{"token":"t","text":"größe 👍"}';

/** Standard Webhooks 1.0.0. */
describe('the signature of a delivery', () => {
  const now = Date.now();
  const old = newSecret();
  const current = newSecret();

  it('is the base64 of HMAC-SHA256 over id, seconds and body, keyed with the decoded secret', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const headers = signatureHeaders(
      [secret],
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1_614_265_330_999,
      '{"test": 2432232314}',
    );
    // The example from the specification.
    expect(headers).toMatchObject({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('has a simple form: the hex HMAC of the body, keyed with the secret as text', () => {
    const hmac = (secret: string): string => createHmac('sha256', secret).update(BODY).digest('hex');
    const after = signatureHeaders([current], ID, now, BODY);
    expect(signatureHeaders([current, old], ID, now, BODY)).toMatchObject({
      'x-hookline-signature-256': `sha256=${hmac(current)}`,
      'x-hookline-signature-256-previous': `sha256=${hmac(old)}`,
    });
    const oldest = newSecret();
    expect(signatureHeaders([current, old, oldest], ID, now, BODY)).toMatchObject({
      'x-hookline-signature-256': `sha256=${hmac(current)}`,
      'x-hookline-signature-256-previous': `sha256=${hmac(old)}, sha256=${hmac(oldest)}`,
    });
    expect(after).toMatchObject({ 'x-hookline-signature-256': `sha256=${hmac(current)}` });
    expect(after).not.toHaveProperty('x-hookline-signature-256-previous');
  });
});
