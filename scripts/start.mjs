/** `npm start`: installs and builds what is missing, then runs the server in this process. */
import { exitBecauseOf, prepare, root } from './prepare.mjs';

// Relative paths in settings, such as DATA_DIR=./data, are relative to the project folder.
process.chdir(root);

let isReady = false;
try {
  await prepare();
  isReady = true;
} catch (error) {
  exitBecauseOf(error);
}
if (isReady) await import('../dist/src/main.js');
