import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const src = join(__dirname, '..', 'src');

/** What would break the previous version while it uses the tables of the next one (docs/scaling.md#rolling-upgrade). */
const CONTRACTS: readonly RegExp[] = [
  /\bDROP\s+(?:TABLE|COLUMN|PRIMARY)\b/i,
  /\bRENAME\b/i,
  /\b(?:MODIFY|CHANGE|ALTER)\s+COLUMN\b/i,
  /\bADD\s+COLUMN\b(?=[^,;`]*\bNOT\s+NULL\b)(?![^,;`]*\bDEFAULT\b)/i,
];

const contracts = (sql: string): boolean => CONTRACTS.some((pattern) => pattern.test(sql));

/** The first part of a migration: what an upgrade runs. */
function upOf(source: string): string {
  const [, up] = /\basync up\(([^]*?)(?=\basync down\(|$)/.exec(source) ?? [];
  return up ?? '';
}

describe('migrations', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\bmigrations\/\d+-[a-z-]+\.ts$/.test(file),
  );

  it('are found', () => {
    expect(files.length).toBeGreaterThanOrEqual(15);
    for (const file of files) expect([file, upOf(readFileSync(join(src, file), 'utf8'))]).not.toContain('');
  });

  it.each(files)('only expand: %s', (file) => {
    expect(contracts(upOf(readFileSync(join(src, file), 'utf8')))).toBe(false);
  });

  it.each([
    'DROP TABLE lane_turns',
    'ALTER TABLE posts DROP COLUMN seq',
    'ALTER TABLE posts RENAME COLUMN seq TO number',
    'ALTER TABLE posts MODIFY COLUMN seq INT',
    'ALTER TABLE posts ADD COLUMN number BIGINT NOT NULL',
  ])('would break it: %s', (sql) => expect(contracts(sql)).toBe(true));

  it.each([
    'CREATE TABLE lane_turns (lane VARCHAR(255) NOT NULL)',
    'ALTER TABLE posts ADD COLUMN number BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE posts ADD COLUMN number BIGINT NULL',
    'CREATE INDEX posts_number ON posts (number)',
  ])('are allowed to: %s', (sql) => expect(contracts(sql)).toBe(false));
});
