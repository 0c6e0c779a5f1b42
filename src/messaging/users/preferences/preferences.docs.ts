import { type OperationOptions, StatusOkDto } from '../../../platform/common/dto/operation.js';
import { PreferenceDto } from '../dto/preference.dto.js';

/** What the API description says of the operations. */
export const DOCS = {
  getPreferences: { summary: 'List the preferences of a user', ok: [PreferenceDto], errors: [404] },
  updatePreferences: {
    summary: 'Store preferences of a user',
    description: 'At most 100 at once.',
    ok: StatusOkDto,
    errors: [404],
  },
  deletePreferences: {
    summary: 'Delete preferences of a user',
    ok: StatusOkDto,
    errors: [404],
  },
  getPreferencesByCategory: {
    summary: 'List the preferences of one category',
    ok: [PreferenceDto],
    errors: [404],
  },
  getPreferenceByName: { summary: 'Get one preference', ok: PreferenceDto, errors: [404] },
} satisfies Record<string, OperationOptions>;
