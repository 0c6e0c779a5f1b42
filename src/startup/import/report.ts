import type { Finding } from './findings.js';

/** What became of the rows of a table. */
export interface TableReport {
  readonly table: string;
  readonly read: number;
  readonly moved: number;
  readonly left: number;
  /** Why rows were left out. */
  readonly reasons: readonly Finding[];
}

/** Whether the rows of a table are here: how many should be and are, and which columns of a sample differ. */
export interface Check {
  readonly table: string;
  readonly expected: number;
  readonly found: number;
  readonly sampled: number;
  readonly differences: readonly string[];
}

/** The result of an import, as printed with `--json`. */
export interface ImportReport {
  readonly source: string;
  /** The version of the server there; empty if unknown. */
  readonly version: string;
  readonly dry_run: boolean;
  /** Whether all checks hold; false for a dry run, which checks nothing. */
  readonly verified: boolean;
  readonly tables: readonly TableReport[];
  /** What has no place here. */
  readonly not_moved: readonly Finding[];
  /** What was imported, but not as it was. */
  readonly warnings: readonly Finding[];
  readonly checks: readonly Check[];
}

export const isMet = ({ expected, found, differences }: Check): boolean =>
  expected === found && differences.length === 0;

/** The report for people. */
export function reportText(report: ImportReport): string {
  const version = report.version === '' ? '' : `, version ${report.version}`;
  return [
    `${report.dry_run ? 'Dry run of an import' : 'Import'} of ${report.source}${version}`,
    '',
    ...report.tables.flatMap(tableLines),
    ...section('Not imported:', report.not_moved),
    ...section('Imported with changes:', report.warnings),
    ...checkLines(report),
  ].join('\n');
}

function tableLines({ table, read, moved, left, reasons }: TableReport): string[] {
  const omitted = left === 0 ? '' : `, ${amount(left)} left out`;
  return [
    `  ${table.padEnd(22)} ${amount(moved).padStart(12)} of ${amount(read)} imported${omitted}`,
    ...reasons.map((finding) => `      ${line(finding)}`),
  ];
}

function section(title: string, findings: readonly Finding[]): string[] {
  return findings.length === 0 ? [] : ['', title, ...findings.map((finding) => `  ${line(finding)}`)];
}

function checkLines({ dry_run, verified, checks }: ImportReport): string[] {
  if (dry_run) return ['', 'Nothing was written.'];
  const failed = checks.filter((check) => !isMet(check));
  const rows = checks.reduce((sum, { found }) => sum + found, 0);
  const sampled = checks.reduce((sum, { sampled: some }) => sum + some, 0);
  if (verified)
    return ['', `Verified: ${amount(rows)} rows are here; ${amount(sampled)} of them were compared.`];
  return [
    '',
    'The verification failed:',
    ...failed.map(
      ({ table, expected, found, differences }) =>
        `  ${table}: ${amount(found)} of ${amount(expected)} rows${differences.length === 0 ? '' : `; ${differences.slice(0, 10).join('; ')}`}`,
    ),
  ];
}

const line = ({ kind, count, examples }: Finding): string =>
  `${amount(count)} × ${kind}${examples.length === 0 ? '' : ` (${examples.join('; ')}${count > examples.length ? '; …' : ''})`}`;

const amount = (value: number): string => value.toLocaleString('en-US');
