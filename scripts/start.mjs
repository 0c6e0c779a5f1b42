/** `npm start`: installs and builds what is missing, then becomes the server, in this very process. */
import { exitBecauseOf, prepare, root } from './prepare.mjs';

// Relative settings such as DATA_DIR=./data mean the project's folder, wherever this was called from.
process.chdir(root);

let isReady = false;
try {
  await prepare();
  isReady = true;
} catch (error) {
  exitBecauseOf(error);
}
if (isReady) await import('../dist/src/main.js');
