/*
 * Loaded into a server process before everything else. Ends it with its parent, however that ended; and, under
 * --expose-gc, answers a message with the live memory after a full collection.
 */
// Workers end by themselves when the process that started them is gone.
if (require('node:cluster').isPrimary) process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (message) => {
  if (message !== 'memory') return;
  global.gc();
  global.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send({ liveMiB: (heapUsed + external) / 1048576 });
});
process.channel.unref();
