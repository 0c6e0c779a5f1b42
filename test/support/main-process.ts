import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './test-server.js';

const MAIN = join(__dirname, '..', '..', 'dist', 'src', 'main.js');

/** The program as people start it, from dist, with nothing of this process's own settings. */
export class MainProcess {
  stdout = '';
  stderr = '';
  private readonly ended: Promise<unknown[]>;

  private constructor(private readonly child: ChildProcess) {
    child.stdout?.on('data', (text: Buffer) => (this.stdout += text.toString()));
    child.stderr?.on('data', (text: Buffer) => (this.stderr += text.toString()));
    this.ended = once(child, 'close');
  }

  static start(env: Record<string, string>, cwd: string): MainProcess {
    if (!existsSync(MAIN))
      throw new Error('There is no dist/src/main.js: run "node scripts/prepare.mjs" first.');
    const settings = { PATH: process.env['PATH'], NODE_ENV: 'production', ...env };
    return new MainProcess(
      spawn(process.execPath, [MAIN], { cwd, env: settings, stdio: ['ignore', 'pipe', 'pipe'] }),
    );
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Waits for the summary of the start. Fails if the process ends instead. */
  async ready(): Promise<this> {
    await eventually(() => this.hasEnded || /is running\.\n[^]*\n\n$/.test(this.stdout), 60_000);
    if (this.hasEnded)
      throw new Error(`The server ended with ${this.child.exitCode}: ${this.stderr}${this.stdout}`);
    return this;
  }

  /** The exit code, once it has ended. */
  async exit(): Promise<number | null> {
    await this.ended;
    return this.child.exitCode;
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  async stop(): Promise<number | null> {
    this.signal('SIGTERM');
    return this.exit();
  }

  /** Where it says that it answers. */
  get url(): string {
    return /http:\/\/127\.0\.0\.1:\d+/.exec(this.stdout)?.[0] ?? '';
  }
}
