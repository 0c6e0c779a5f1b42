import type { OutboundClient, OutboundReply } from '../outbound/outbound-client.js';
import { sendCall } from './authorized-call.js';
import type { Authorization } from './delivery-kind.js';

const PROOF: Authorization = { headers: { authorization: 'Bearer first' }, secrets: ['first'] };
const URL = 'https://ci.example.com/';
const CALL = { headers: {}, body: '', secrets: [] };

describe('sendCall', () => {
  const send = jest.fn<Promise<Partial<OutboundReply>>, []>();
  const client = { send } as unknown as OutboundClient;
  const never = (): Promise<never> => new Promise(() => undefined);

  beforeEach(() => send.mockReset());

  it.each([
    ['the first token', never],
    ['a new token', (refused?: Authorization) => (refused ? never() : Promise.resolve(PROOF))],
  ])('waits for %s only until the deadline', async (_, authorize) => {
    send.mockResolvedValue({ status: 401 });
    const { error } = await sendCall(client, URL, { ...CALL, authorize }, { timeoutMs: 20 });
    expect(error).toMatchObject({ errorClass: 'token', message: 'There was no token within 0.02 s.' });
  });

  it.each(['before', 'while'])('is cancelled by the signal %s it waits for a token', async (when) => {
    const controller = new AbortController();
    if (when === 'before') controller.abort();
    const limits = { timeoutMs: 60_000, signal: controller.signal };
    const sent = sendCall(client, URL, { ...CALL, authorize: never }, limits);
    controller.abort();
    expect(await sent).toMatchObject({ error: { errorClass: 'aborted' } });
    expect(send).not.toHaveBeenCalled();
  });
});
