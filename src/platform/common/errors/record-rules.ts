import { ValidationFailed } from './common-errors.js';

/** The check of a record type; it throws `model.<record>.is_valid.<rule>` unless `holds`. */
export const rulesOf =
  (record: string) =>
  (holds: boolean, rule: string, field: string, reason: string): void => {
    if (!holds) throw new ValidationFailed(`model.${record}.is_valid.${rule}.app_error`, field, reason);
  };
