import { type OperationOptions } from '../../platform/common/dto/operation.js';
import { EndpointDetailDto } from './endpoint-detail.dto.js';
import { EndpointListDto } from './endpoint.dto.js';

/** What the API description says of the operations. */
export const DOCS = {
  listEndpoints: {
    summary: 'List the endpoints that outgoing webhooks call',
    description:
      'For administrators of the system. Those that are given up come first, then those that fail. An endpoint is scheme, host and port of callback URLs.',
    ok: EndpointListDto,
    errors: [501],
  },
  getEndpoint: {
    summary: 'Get an endpoint with its webhooks and the limit of its calls',
    description:
      'Also one that no webhook calls any more. What became of the limit is noted once a second, and kept for a day.',
    ok: EndpointDetailDto,
    errors: [501],
  },
} satisfies Record<string, OperationOptions>;
