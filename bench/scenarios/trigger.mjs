/** Measures messages until their outgoing webhook calls arrive, with one endpoint and with 100. */
import { fieldsOf, requireSameAnswer } from '../measure.mjs';
import { askYardstick, jsonRequest } from '../requests.mjs';
import {
  makeTriggeredChannel,
  messageRequest,
  startReceivers,
  triggerLoad,
  triggerMessage,
} from '../receivers.mjs';

const MANY = 100;

export const trigger = {
  name: 'trigger',
  title: 'Message that calls an outgoing webhook, delivered',
  unit: 'deliveries',
  ideal: 'parse, post and delivery row in one commit, batched; the post; the call with `undici`',
  connections: [1, 16, 64],
  prepare: (bench) => prepare(bench, 1),
};

export const fanOut = {
  name: 'fan-out',
  title: `Message that calls ${MANY} endpoints, delivered`,
  unit: 'deliveries',
  ideal: `the same with ${MANY} delivery rows and calls`,
  connections: [1],
  prepare: (bench) => prepare(bench, MANY),
};

async function prepare({ api, yardstick, sizes }, endpoints) {
  const receivers = await startReceivers(endpoints);
  const channel = await makeTriggeredChannel(api, receivers.urls);
  const sending = (url, request) => (load) => {
    const { seconds, ...rest } = load;
    // With many endpoints, a few messages are enough.
    const bounded = endpoints === 1 ? { seconds } : { count: sizes.messages };
    return triggerLoad({ url, request, receivers, endpoints, ...rest, ...bounded });
  };
  const server = sending(api.url, messageRequest(api, channel.id));
  if (!yardstick) return { server, stop: receivers.stop };
  await askYardstick(yardstick, 'PUT', '/receivers', receivers.urls);
  const body = { channel_id: channel.id, message: triggerMessage };
  const answer = await api.call('POST', '/posts', body);
  const ideal = await askYardstick(yardstick, 'POST', '/trigger', body);
  requireSameAnswer('trigger', fieldsOf(answer), fieldsOf(ideal));
  const request = jsonRequest('POST', `${yardstick.url}/trigger`, body);
  return { server, yardstick: sending(yardstick.url, request), stop: receivers.stop };
}
