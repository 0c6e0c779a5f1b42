import { Readable } from 'node:stream';

/** What a command was told, and what it did. */
export interface Told {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** On standard input, which is not a terminal. */
  readonly input?: string;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Both in the order in which they were written. */
  readonly output: string;
}

/**
 * Runs a command of `src/startup` in this process, because each process of its own takes half a second to start. Only one
 * at a time. Suites also start some of their commands as processes.
 */
export async function runHere(run: () => Promise<void>, { args, env, input = '' }: Told): Promise<Ran> {
  const { argv, env: ownEnv, exitCode } = process;
  const umask = process.umask();
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')!;
  const ran = { stdout: '', stderr: '', output: '' };
  const streams = (['stdout', 'stderr'] as const).map((name) =>
    jest.spyOn(process[name], 'write').mockImplementation((text) => {
      ran[name] += String(text);
      ran.output += String(text);
      return true;
    }),
  );
  Object.defineProperty(process, 'stdin', { ...stdin, get: () => Readable.from([Buffer.from(input)]) });
  Object.assign(process, { argv: [process.execPath, 'hookline', ...args], env, exitCode: undefined });
  try {
    await run();
    return { code: Number(process.exitCode ?? 0), ...ran };
  } finally {
    for (const stream of streams) stream.mockRestore();
    Object.defineProperty(process, 'stdin', stdin);
    Object.assign(process, { argv, env: ownEnv, exitCode });
    process.umask(umask);
  }
}
