import { Logger } from '@nestjs/common';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import { ReportingExporter } from './reporting-exporter.js';

describe('ReportingExporter', () => {
  it('reports once that spans cannot be sent, and once that they can again', () => {
    const lines: string[] = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((line: unknown) => void lines.push(String(line)));
    jest.spyOn(Logger.prototype, 'log').mockImplementation((line: unknown) => void lines.push(String(line)));
    const outcomes = [0, 1, 1, 0, 0];
    const collector: SpanExporter = {
      export: (_, done) => done({ code: outcomes.shift()!, error: new Error('connect ECONNREFUSED') }),
      shutdown: () => Promise.resolve(),
    };
    const exporter = new ReportingExporter(collector);
    const results: number[] = [];
    for (let call = 0; call < 5; call++) exporter.export([], ({ code }) => results.push(code));
    expect(results).toEqual([0, 1, 1, 0, 0]);
    expect(lines).toEqual([
      'Traces cannot be sent and are dropped meanwhile: connect ECONNREFUSED',
      'Traces are sent again.',
    ]);
  });
});
