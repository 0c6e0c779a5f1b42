/** `npm start`: installs and builds what is missing, then runs the server in this process. */
process.argv.splice(2, 0, 'start');
await import('./hookline.mjs');
