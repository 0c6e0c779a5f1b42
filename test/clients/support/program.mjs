/** A program of this machine that serves HTTP, with its own folder for files and its log. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from './scene.mjs';

export class Program {
  folder = mkdtempSync(path.join(tmpdir(), 'hookline-program-'));
  #file;
  #child;

  constructor(file) {
    assert.ok(file, 'The program is not installed.');
    this.#file = file;
  }

  /** Writes a file into the folder, and returns its path. */
  write(name, text, options) {
    const file = path.join(this.folder, name);
    writeFileSync(file, text, options);
    return file;
  }

  /** Starts it, and waits until `url` responds. */
  async start(args, url) {
    const log = openSync(path.join(this.folder, 'log'), 'a');
    this.#child = spawn(this.#file, args, { cwd: this.folder, stdio: ['ignore', log, log] });
    closeSync(log);
    await eventually(`a response of ${url}`, () => {
      assert.equal(this.#child.exitCode, null, readFileSync(path.join(this.folder, 'log'), 'utf8'));
      return responds(url);
    });
  }

  async stop() {
    if (this.#child?.exitCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }

  async remove() {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Whether there is a response. `fetch` takes the 407 of a proxy for a broken connection. */
function responds(url) {
  return new Promise((resolve) => {
    get(url, (response) => {
      response.resume();
      resolve(response.statusCode < 500);
    }).on('error', () => resolve(false));
  });
}
