import { type Env, readBoolean } from '../platform/config/parse.js';

/** Whether people are told of failures. Throws SettingError naming the variable. */
export class FailureMessagesSettings {
  readonly failureMessages: boolean;

  constructor(env: Env) {
    this.failureMessages = readBoolean(env, 'FAILURE_MESSAGES', true);
  }
}
