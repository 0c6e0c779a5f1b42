import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const script = path.join(__dirname, '..', 'scripts', 'openapi-lint.mjs');

const ok = { description: 'It.', content: { 'application/json': { schema: { type: 'string' } } } };
const operation = {
  operationId: 'getIt',
  summary: 'Read it',
  description: 'It.',
  tags: ['it'],
  security: [],
  responses: { 200: ok, 404: { description: 'None.' } },
};
const document = (...invalid: object[]): object => ({
  openapi: '3.0.0',
  info: {
    title: 'It',
    version: '1',
    description: 'It.',
    contact: { name: 'Us' },
    license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
  },
  servers: [{ url: 'https://hookline.internal' }],
  tags: [{ name: 'it', description: 'It.' }],
  paths: Object.fromEntries(
    [{}, ...invalid].map((change, n) => [`/it${n}`, { get: { ...operation, ...change } }]),
  ),
});

describe('the check of the OpenAPI document', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-openapi-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const check = (checked: object): { status: number | null; output: string } => {
    const file = path.join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(checked));
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, file], { encoding: 'utf8' });
    return { status, output: stdout + stderr };
  };

  it('passes a valid one', () => {
    expect(check(document())).toEqual({
      status: 0,
      output: expect.stringContaining('follows the recommended'),
    });
  });

  it('reports the findings of both linters, with their positions', () => {
    const badExample = {
      ...ok,
      content: { 'application/json': { ...ok.content['application/json'], example: 1 } },
    };
    const invalid = document(
      { operationId: 'getIt' },
      { operationId: 'mistyped', responses: { ...operation.responses, 200: badExample } },
      { operationId: 'open', security: undefined },
      { operationId: 'lost', tags: ['nowhere'] },
    );
    const { status, output } = check(invalid);
    expect(status).toBe(1);
    for (const problem of [
      /^operation-operationId-unique #\/paths\/\/it1\/get/m,
      /^no-invalid-media-type-examples #\/paths\/\/it2\/get\/responses\/200/m,
      /^security-defined #\/paths\/\/it3\/get/m,
      /^operation-tag-defined #\/paths\/\/it4\/get\/tags\/0/m,
    ])
      expect(output).toMatch(problem);
  });
});
