/** Prometheus' own tool: the rules and their tests, and a scrape. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findProgram } from './support/machine-clients.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const alerts = path.join(here, '../../docker/grafana/alerts.yaml');
const program = findProgram('promtool');

function promtool(args, input) {
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
}

describe('Prometheus', { skip: !program }, () => {
  test('takes the alerting rules', () => {
    const { status, said } = promtool(['check', 'rules', alerts]);
    assert.equal(status, 0, said);
    assert.match(said, /SUCCESS: \d\d rules found/);
  });

  test('fires them when it should, and not when it should not', () => {
    const { status, said } = promtool(['test', 'rules', path.join(here, 'monitoring/alerts.test.yaml')]);
    assert.equal(status, 0, said);
  });

  test('takes the metrics, and finds no fault with their names', async () => {
    const metrics = await (await fetch(`${process.env.HOOKLINE_URL}/metrics`)).text();
    const own = metrics.split('\n').filter((line) => /^(?:# (?:HELP|TYPE) )?hookline_/.test(line));
    assert.ok(own.length > 100);
    const { status, said } = promtool(['check', 'metrics'], `${own.join('\n')}\n`);
    assert.equal(status, 0, said);
  });
});
