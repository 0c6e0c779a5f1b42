import { InvalidBodyParam } from '../../../platform/common/errors/common-errors.js';

/** A whole number in the query, 0 when absent. Anything else is a 400 under the contract's id for it. */
export function queryNumber(name: string, text: string | undefined): number {
  if (text === undefined || text === '') return 0;
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidBodyParam(name, 'it must be a whole number');
  return Number(text);
}
