/*
 * Loaded into a server process before everything else (node --expose-gc --require): answers a message from the parent
 * with what is left after a full collection.
 */
process.on('message', (message) => {
  if (message !== 'memory') return;
  global.gc();
  global.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send({ liveMiB: (heapUsed + external) / 1048576 });
});
process.channel.unref();
