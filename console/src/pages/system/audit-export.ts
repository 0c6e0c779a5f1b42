import { queries } from '../../app/services';
import { describeAction } from './actions';
import { type AuditFilters, type AuditRow, audits } from './system-queries';

/** More are not exported at once. */
const MAX_PAGES = 100;

const COLUMNS: Readonly<Record<string, (row: AuditRow) => unknown>> = {
  time: (row) => new Date(row.create_at).toISOString(),
  user_id: (row) => row.user_id,
  action: (row) => row.action,
  description: (row) => describeAction(row.action),
  target: (row) => row.target,
  result: (row) => row.result,
  status_code: (row) => row.status_code,
  error_id: (row) => row.error_id,
  count: (row) => row.count,
  ip_address: (row) => row.ip_address,
  request_id: (row) => row.request_id,
  parameters: (row) => JSON.stringify(row.parameters),
};

/** Saves the entries that match as a file, up to 10,000. */
export async function saveAsCsv(filters: AuditFilters): Promise<void> {
  const { pages } = await queries.fetchInfiniteQuery({
    ...audits(filters),
    queryKey: ['system', 'audits', 'export', filters],
    pages: MAX_PAGES,
    gcTime: 0,
    staleTime: 0,
  });
  const lines = pages.flat().map((row) => Object.values(COLUMNS).map((of) => quoted(of(row))));
  const text = [Object.keys(COLUMNS), ...lines].map((line) => line.join(',')).join('\r\n');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = `audit-${new Date().toISOString().slice(0, 10)}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

/** Spreadsheets would run a text that looks like a formula. */
function quoted(value: unknown): string {
  const text = String(value);
  return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
