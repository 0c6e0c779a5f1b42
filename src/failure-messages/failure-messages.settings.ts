import { type AboutSettings, type Env, readBoolean } from '../platform/config/parse.js';

/** Whether users are notified of failures. Throws SettingError naming the variable. */
export class FailureMessagesSettings {
  static readonly about: AboutSettings = {
    Features: {
      FAILURE_MESSAGES:
        'Notify owners by direct message when [webhooks and peers fail](contract/outgoing-webhooks.md#failure-messages)',
    },
  };

  readonly failureMessages: boolean;

  constructor(env: Env) {
    this.failureMessages = readBoolean(env, 'FAILURE_MESSAGES', true);
  }
}
