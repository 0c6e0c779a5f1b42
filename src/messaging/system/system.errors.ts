import { AppError } from '../../platform/common/errors/app-error.js';

/** The query parameter `format` is missing. */
export const licenseFormatMissing = () =>
  new AppError(
    400,
    'api.license.client.old_format.app_error',
    'The query parameter format is missing. The only format is old.',
  );

/** The server lacks this feature, and an empty response would be wrong. */
export const notAvailable = (message: string) =>
  new AppError(501, 'api.context.not_available.app_error', message);
