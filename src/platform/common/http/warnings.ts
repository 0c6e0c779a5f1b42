import type { Response } from 'express';

/** Adds a warning to a successful response (docs/contract/conventions.md#responses). */
export function addWarning(response: Response, warning: string): void {
  if (!response.headersSent) response.appendHeader('X-Hookline-Warnings', warning.replace(/[^ -~]/g, '?'));
}
