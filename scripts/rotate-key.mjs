/** `npm run rotate-key`: seals the stored secrets under a new key, while the server is stopped. */
import { exitBecauseOf, prepare, root } from './prepare.mjs';

process.chdir(root);
let isReady = false;
try {
  await prepare();
  isReady = true;
} catch (error) {
  exitBecauseOf(error);
}
if (isReady) await import('../dist/src/startup/rotate-key.js');
