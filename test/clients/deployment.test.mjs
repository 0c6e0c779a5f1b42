/** Docker Compose and HAProxy accept the shipped files. No container is started. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findProgram } from './support/machine-clients.mjs';

const docker = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../docker');
const programs = { compose: findProgram('docker-compose'), haproxy: findProgram('haproxy') };
const read = (name) => readFileSync(path.join(docker, name), 'utf8');

describe('files for other programs', () => {
  let folder;

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'hookline-deployment-'));
    copyFileSync(path.join(docker, 'hookline.env.example'), path.join(folder, 'hookline.env'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function ask(program, args, file, text) {
    writeFileSync(path.join(folder, file), text);
    const env = { PATH: process.env.PATH, HOME: folder };
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, env, encoding: 'utf8' });
    return { status, stdout, said: `${stdout}${stderr}` };
  }

  /** The project name is omitted, because Debian's Compose is older than that key. */
  const compose = (text) => {
    const [line] = /^name: \S+$/m.exec(text) ?? assert.fail('It has no name.');
    const args = ['--project-name', line.slice('name: '.length), '--file', 'compose.yaml', 'config'];
    return ask(programs.compose, args, 'compose.yaml', text.replace(`${line}\n`, ''));
  };
  const haproxy = (text) => ask(programs.haproxy, ['-c', '-f', 'haproxy.cfg'], 'haproxy.cfg', text);

  for (const file of ['compose.yaml', 'compose.scaled.yaml'])
    test(`Docker Compose accepts ${file}, and rejects an invalid one`, { skip: !programs.compose }, () => {
      const { status, said } = compose(read(file));
      assert.equal(status, 0, said);
      assert.match(said, /^services:$/m);
      for (const [right, wrong] of [
        ['stop_grace_period:', 'stop_grace_perod:'],
        ['read_only: true', 'read_only: [true]'],
        ['condition: service_healthy', 'condition: service_wealthy'],
        ['- mysql:/var/lib/mysql', '- mysq:/var/lib/mysql'],
      ]) {
        assert.ok(read(file).includes(right));
        assert.notEqual(compose(read(file).replaceAll(right, wrong)).status, 0, wrong);
      }
    });

  test('Docker Compose publishes only the proxy', { skip: !programs.compose }, () => {
    const lines = compose(read('compose.scaled.yaml')).stdout.split('\n');
    assert.equal(lines.filter((line) => line.trim() === 'ports:').length, 1);
  });

  test('HAProxy accepts haproxy.cfg, and rejects an invalid one', { skip: !programs.haproxy }, () => {
    const { status, said } = haproxy(read('haproxy.cfg'));
    assert.equal(status, 0, said);
    const complaints = said.split('\n').filter((line) => /ALERT|WARNING/.test(line));
    // Only Docker resolves the container names.
    assert.deepEqual(
      complaints.filter((line) => !/could not resolve address 'app\d'/.test(line)),
      [],
    );
    assert.notEqual(haproxy(read('haproxy.cfg').replace('option httpchk', 'option httpchek')).status, 0);
  });

  test('HAProxy accepts the Redis proxy of docs/scaling.md', { skip: !programs.haproxy }, () => {
    const page = readFileSync(path.join(docker, '../docs/scaling.md'), 'utf8');
    const [, text] = /```text\n(listen redis\n[^]*?)```/.exec(page) ?? assert.fail('It is not there.');
    const { status, said } = haproxy(text);
    assert.equal(status, 0, said);
    assert.doesNotMatch(said, /ALERT|WARNING/);
  });
});
