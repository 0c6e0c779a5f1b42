import { type OperationOptions } from '../../platform/common/dto/operation.js';

const EMPTY_LIST = { schema: { type: 'array', items: { type: 'object' }, example: [] } } as const;

/** What the API description says of the operations. */
export const DOCS = {
  getWebappPlugins: { summary: 'List plugins of the web client: there are none', ok: EMPTY_LIST },
  listCommands: { summary: 'List slash commands of a team: there are none', ok: EMPTY_LIST },
} satisfies Record<string, OperationOptions>;
