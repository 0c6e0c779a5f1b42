/**
 * `npm run test:package`: installs what is shipped as docs/deploy.md says, and runs it: the packed tarball in an empty
 * folder, and a copy of the repository with the packages of production alone. It needs npm's registry.
 */
import path from 'node:path';
import { exitBecauseOf, prepare, root, run } from './prepare.mjs';

try {
  await prepare();
  const suite = path.join(root, 'test', 'package', 'package.test.mjs');
  process.exitCode = await run(process.execPath, ['--test', '--test-reporter=spec', suite]);
} catch (error) {
  exitBecauseOf(error);
}
