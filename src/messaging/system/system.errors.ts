import { AppError } from '../../platform/common/errors/app-error.js';

/** 400: the query parameter `format` is missing. */
export class LicenseFormatMissing extends AppError {
  readonly id = 'api.license.client.old_format.app_error';
  readonly status = 400;
  constructor() {
    super('The query parameter format is missing. The only format is old.');
  }
}
