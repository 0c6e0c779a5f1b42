import { type OperationOptions } from '../../platform/common/dto/operation.js';
import { PlacedDeliveryListDto } from './all-deliveries.dto.js';
import { DeliveryDetailDto, DeliveryDto, DeliveryListDto } from './delivery.dto.js';
import { RecoveryDto } from './recovery.dto.js';
import { RetriedDeliveriesDto } from './retry-deliveries.dto.js';
import { SentRequestDto, TestDeliveryDto, TestedDto } from './test-delivery.dto.js';

/** What the API description says of the operations. */
export const DOCS = {
  listAllDeliveries: {
    summary: 'List the deliveries of all outgoing webhooks, newest first',
    description:
      'For administrators of the system. All filters can be combined. The id, status, time and webhook have an index. With `endpoint`, `error` or `http_status` a call looks at 5,000 deliveries at most, so that a page may be short, or even empty, while `next_cursor` says where to go on.',
    ok: PlacedDeliveryListDto,
    errors: [404, 501],
  },
  listDeliveries: {
    summary: 'List the deliveries of an outgoing webhook, newest first',
    description:
      'A page does not shift when new deliveries come in. Settled ones are kept for `RETENTION_DAYS`, also when the webhook is deleted.',
    ok: DeliveryListDto,
    errors: [404, 501],
  },
  getDelivery: {
    summary: 'Get a delivery with its payload and its attempts',
    description:
      'Also when the webhook is deleted. Payload and replies are empty for callers who may not read the channel of the message, and once the message is deleted.',
    ok: DeliveryDetailDto,
    errors: [404, 501],
  },
  retryDelivery: {
    summary: 'Send a delivery again, now',
    description:
      'Whatever became of it, unless it is being sent at the moment. It gets the whole schedule again. A reply that was posted already is not posted a second time.',
    ok: DeliveryDto,
    errors: [404, 409, 501],
  },
  retryDeliveries: {
    summary: 'Send many deliveries again, now',
    description:
      'For administrators of the system: up to 200 deliveries of any webhooks. Each is sent again as by itself, and the answer says for each whether it is, or why not, in the order of the request. An id that comes twice is answered once.',
    ok: RetriedDeliveriesDto,
    errors: [501],
  },
  signDelivery: {
    summary: 'Get the call of a delivery, signed now',
    description:
      'Method, address, headers and body as this server would send them at this moment, with the token and signed with the secrets that the webhook has now, to be sent by hand. Nothing is called or stored, and it does not matter whether the webhook is switched off. Receivers that follow Standard Webhooks take the signature for five minutes.',
    ok: SentRequestDto,
    errors: [404, 409, 501],
  },
  recoverDeliveries: {
    summary: 'Send again what failed or was cancelled since a time',
    description:
      'All of it, but for callback URLs that are given up or gone, at a pace that leaves room for new deliveries; one recovery at a time. `dry_run` tells the exact number and does nothing.',
    ok: RecoveryDto,
    errors: [404, 409, 501],
  },
  stopRecovery: {
    summary: 'Stop a recovery',
    description:
      'What is due again by now is sent; the rest stays as it is. A recovery that has ended stays as it is.',
    ok: RecoveryDto,
    errors: [404, 501],
  },
  listRecoveries: {
    summary: 'See how far the recoveries have come, newest first',
    description: 'The last 20.',
    ok: [RecoveryDto],
    errors: [404, 501],
  },
  testOutgoingWebhook: {
    summary: 'Call a callback URL once, and see request and response',
    description:
      'With a payload like a real one, and signed like one. Nothing is stored, and no reply is posted.',
    body: { type: TestDeliveryDto, required: false },
    ok: TestedDto,
    errors: [404, 409, 501],
  },
} satisfies Record<string, OperationOptions>;
