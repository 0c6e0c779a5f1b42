import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: './', // the site may stand below a path
  html: { cspNonce: 'HOOKLINE_NONCE' }, // the server puts the nonce of the response in its place
  server: {
    proxy: { '/api': { target: 'http://localhost:8065', ws: true }, '/hooks': 'http://localhost:8065' },
  },
  build: {
    outDir: '../dist/console',
    assetsDir: 'console',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'], // keeps light-dark() as it is
    assetsInlineLimit: 0, // the content policy allows no data in scripts and styles
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      onLog: (level, log, report) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log); // "use client" means nothing here
      },
    },
  },
});
