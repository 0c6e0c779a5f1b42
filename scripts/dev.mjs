/**
 * `npm run start:dev`: bundles the server from its sources, starts it, and starts it again after each change. Types are
 * not checked: `npm run typecheck`, or the editor, does that.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { bundleOptions } from './bundle.mjs';
import { exitBecauseOf, prepare, root } from './prepare.mjs';

const folder = path.join(root, '.cache', 'dev');
let server;
let restarts = Promise.resolve();

try {
  await prepare({ build: false });
  const { context } = await import('esbuild');
  const options = bundleOptions();
  const restarting = { name: 'restart', setup: (build) => build.onEnd(restartAfter) };
  const watched = await context({
    ...options,
    stdin: {
      contents: "import { run } from './main.ts';\nvoid run(__filename);",
      resolveDir: path.join(root, 'src'),
    },
    outfile: path.join(folder, 'main.js'),
    sourcemap: 'inline',
    plugins: [...options.plugins, restarting],
    logLevel: 'warning',
  });
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, async () => {
      await watched.dispose();
      await stop();
      process.exit();
    });
  await watched.watch();
} catch (error) {
  exitBecauseOf(error);
}

/** After a failed build, the running server keeps running. */
function restartAfter({ errors }) {
  if (errors.length > 0) return;
  restarts = restarts.then(async () => {
    await stop();
    server = spawn(process.execPath, ['--enable-source-maps', path.join(folder, 'main.js')], {
      cwd: root,
      stdio: 'inherit',
    });
  });
}

async function stop() {
  if (!server || server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
}
