import { merged } from './measurements.js';
import { RequestStats } from './request-stats.js';

describe('RequestStats', () => {
  it('counts by method, route and status', () => {
    const stats = new RequestStats();
    stats.record('GET', '/a/:id', 200, 0.01);
    stats.record('GET', '/a/:id', 200, 0.01);
    stats.record('GET', '/a/:id', 404, 0.01);
    stats.record('POST', '/a/:id', 200, 0.01);
    expect(stats.text()).toContain(
      'hookline_http_requests_total{method="GET",route="/a/:id",status="200"} 2\n',
    );
    expect(stats.text()).toContain(
      'hookline_http_requests_total{method="GET",route="/a/:id",status="404"} 1\n',
    );
    expect(stats.text()).toContain(
      'hookline_http_requests_total{method="POST",route="/a/:id",status="200"} 1\n',
    );
  });

  it('adds up durations in buckets that hold their bound', () => {
    const stats = new RequestStats();
    for (const seconds of [0, 0.001, 0.0011, 0.25, 10, 11]) stats.record('GET', '/x', 200, seconds);
    const bucket = (le: string): string | undefined =>
      new RegExp(`_bucket\\{le="${le.replace('+', '\\+')}",method="GET",route="/x"\\} (\\d+)`).exec(
        stats.text(),
      )?.[1];
    expect(['0.001', '0.0025', '0.1', '0.25', '5', '10', '+Inf'].map(bucket)).toEqual([
      '2',
      '3',
      '3',
      '4',
      '4',
      '5',
      '6',
    ]);
    expect(stats.text()).toContain(
      'hookline_http_request_duration_seconds_count{method="GET",route="/x"} 6\n',
    );
    expect(stats.text()).toMatch(/_sum\{method="GET",route="\/x"\} 21\.25/);
  });

  it('merges with those of other processes: what each has counted is added up', async () => {
    const [one, two, both] = [new RequestStats(), new RequestStats(), new RequestStats()];
    for (const [index, stats] of [one, two, one, two].entries())
      for (const each of [stats, both]) each.record('GET', '/a/"b"', 200 + (index % 3), 0.25 * index);
    const text = await merged([one.measurements(), two.measurements()]).metrics();
    const lines = (of: string): string[] => of.trim().split(/\n+/).sort();
    expect(lines(text)).toEqual(lines(both.text()));
  });

  it('stays bounded, and is text that Prometheus can read', () => {
    const stats = new RequestStats();
    for (let i = 0; i < 3_000; i++) stats.record('GET', `/r${i}`, 200, 0);
    expect(stats.text()).toContain(
      'hookline_http_requests_total{method="GET",route="other",status="200"} 1000\n',
    );
    stats.record('GET', 'other', 200, 0);
    for (const line of stats
      .text()
      .trimEnd()
      .split('\n')
      .filter((_, index) => index % 97 < 3)) {
      expect(line).toMatch(/^(# (HELP|TYPE) \S+ .+|[a-z_]+\{([a-z]+="[^"\\\n]*",?)+\} [\d.e+-]+)$/);
    }
  });
});
