/** Prometheus' own tool: the rules and their tests, and scrapes of one process and of several. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findProgram } from './support/machine-clients.mjs';
import { startScaledServer } from './support/scaled-server.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const grafana = path.join(here, '../../docker/grafana');
const alerts = path.join(grafana, 'alerts.yaml');
const program = findProgram('promtool');

function promtool(args, input) {
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
}

describe('Prometheus', { skip: !program }, () => {
  test('accepts the alerting rules', () => {
    const { status, said } = promtool(['check', 'rules', alerts]);
    assert.equal(status, 0, said);
    assert.match(said, /SUCCESS: \d\d rules found/);
  });

  test('fires them when it should, and only then', () => {
    const { status, said } = promtool(['test', 'rules', path.join(here, 'monitoring/alerts.test.yaml')]);
    assert.equal(status, 0, said);
  });

  test('accepts the metrics and their names', async () => {
    checkMetrics(await scrape(process.env.HOOKLINE_URL));
  });

  describe('with two workers on MySQL and Redis', () => {
    let server;
    let metrics;

    before(async () => {
      server = await startScaledServer({ WORKERS: '2' });
      metrics = await scrape(server.url);
    });
    after(() => server?.stop());

    test('accepts the merged metrics of both', () => {
      checkMetrics(metrics);
      assert.match(metrics, /^hookline_build_info\{version="[^"]+"\} 1$/m);
      assert.match(metrics, /^hookline_redis_faults 0$/m);
    });

    for (const file of ['alerts.yaml', 'dashboard.json'])
      test(`finds each metric that ${file} uses`, () => {
        const asked = new Set(
          readFileSync(path.join(grafana, file), 'utf8').match(/\b(?:hookline|nodejs|process)_[a-z0-9_]+/g),
        );
        assert.ok(asked.size > 10);
        const series = new Set(
          [...metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
            type === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => `${name}${part}`) : [name],
          ),
        );
        assert.deepEqual(
          [...asked].filter((name) => !series.has(name)),
          [],
        );
      });
  });
});

async function scrape(url) {
  const answer = await fetch(`${url}/metrics`);
  assert.equal(answer.status, 200);
  return answer.text();
}

function checkMetrics(metrics) {
  const own = metrics.split('\n').filter((line) => /^(?:# (?:HELP|TYPE) )?hookline_/.test(line));
  assert.ok(own.length > 100);
  const { status, said } = promtool(['check', 'metrics'], `${own.join('\n')}\n`);
  assert.equal(status, 0, said);
}
