/**
 * What the bundle does otherwise than the packages it is made of, so that a start evaluates no more than it needs: a part that
 * few servers use is loaded when it is first used.
 */
import { readFileSync } from 'node:fs';

/** Texts in files of packages, and what stands there instead. Each must be found. */
const patches = {
  // Reading the global loads the HTTP client inside Node.js.
  'axios/lib/utils.js': [
    ["const FormDataCtor = typeof G.FormData !== 'undefined' ? G.FormData : undefined;", ''],
    ['FormDataCtor && thing instanceof FormDataCtor', 'thing instanceof G.FormData'],
  ],
  // The outbound client brings an adapter of its own.
  'axios/lib/adapters/adapters.js': [
    ["import httpAdapter from './http.js';\nimport xhrAdapter from './xhr.js';", ''],
    ["import * as fetchAdapter from './fetch.js';", ''],
    ['http: httpAdapter', 'http: false'],
    ['xhr: xhrAdapter', 'xhr: false'],
    ['fetch: {\n    get: fetchAdapter.getFetch,\n  }', 'fetch: false'],
  ],
  'axios/lib/platform/node/classes/FormData.js': [
    ["import FormData from 'form-data';\n\nexport default FormData;", lazyClass('FormData', 'form-data')],
  ],
  // Uploads are read by busboy.
  '@nestjs/platform-express/index.js': [["export * from './multer/index.js';", '']],
  // It is given its adapter.
  '@nestjs/core/nest-factory.js': [[", () => import('@nestjs/platform-express')", '']],
  'class-validator/cjs/decorator/string/IsStrongPassword.js': [
    [
      'const validator = __importStar(require("validator"));',
      'const strong_1 = require("validator/lib/isStrongPassword");',
    ],
    ['validator.isStrongPassword(value', 'strong_1.default(value'],
  ],
  // Formats the times of a logger that is not used.
  '@nestjs/common/services/console-logger.service.js': [
    ['const dateTimeFormatter = new', 'const dateTimeFormatter = () => new'],
    ['dateTimeFormatter.format', 'dateTimeFormatter().format'],
  ],
  '@nestjs/swagger/dist/swagger-module.js': [
    ["import * as jsyaml from 'js-yaml';", ''],
    ['jsyaml.dump', "require('js-yaml').dump"],
  ],
  // The outbound client speaks HTTP/1.
  'undici/lib/dispatcher/client.js': [
    [
      "const connectH2 = require('./client-h2.js')",
      "const connectH2 = (...args) => require('./client-h2.js')(...args)",
    ],
  ],
  // Looks up where it is called from, for which V8 finds all ends of lines in the bundle.
  'depd/index.js': [
    ['  var stack = getStack()\n  var site = callSiteLocation(stack[1])\n  var file = site[0]\n', ''],
    ['deprecate._file = file', "deprecate._file = ''"],
  ],
};

/** What is used of packages that few servers and messages need: they are loaded, from their own files, when it is called. */
const loadedByCalls = {
  mysql2: ['createPool'],
  'mysql2/promise': ['createConnection'],
  'node-emoji': ['find'],
};

/** What the outbound client needs of undici; its index loads all the rest, and the HTTP client inside Node.js. */
const UNDICI = `
export { default as Agent } from 'undici/lib/dispatcher/agent';
export { default as buildConnector } from 'undici/lib/core/connect';
`;

/** Their names tell what is logged, and what an error is. */
const namesClasses = /\/node_modules\/(@nestjs|typeorm|class-validator)\//;
const isLazy = /\/node_modules\/(class-validator\/cjs\/.*|typeorm\/driver\/DriverFactory)\.js$/;
/** Nest makes a `require` of its own in some modules, which would load a second copy of a package from disk. */
const requiresItself = /\/@nestjs\/(mapped-types|swagger)\//;

/** Drivers of other databases stay outside. */
const isDrivers = /\/node_modules\/typeorm\/driver\/DriverFactory\.js$/;
const ours = /\/(better-sqlite3|mysql)\//;

/** An esbuild plugin. */
export const patched = {
  name: 'patched',
  setup(build) {
    build.onResolve({ filter: /^undici$/ }, ({ resolveDir }) => ({ path: resolveDir, namespace: 'undici' }));
    build.onResolve({ filter: /^(mysql2|node-emoji)\b/ }, ({ path: name, kind }) =>
      kind === 'import-statement' ? { path: name, namespace: 'by-call' } : { path: name, external: true },
    );
    build.onLoad({ filter: /./, namespace: 'by-call' }, ({ path: name }) => ({ contents: byCall(name) }));
    build.onLoad({ filter: /./, namespace: 'undici' }, ({ path: resolveDir }) => ({
      contents: UNDICI,
      resolveDir,
    }));
    build.onResolve({ filter: /^\.\/\w/ }, ({ importer, path: driver }) =>
      isDrivers.test(importer) && !ours.test(driver)
        ? { path: `typeorm/driver/${driver.slice(2)}`, external: true }
        : undefined,
    );
    build.onResolve({ filter: /^libphonenumber-js/ }, ({ path: name }) => ({ path: name, external: true }));
    const filter = /\/node_modules\/(@nestjs|typeorm|class-validator|axios|depd|undici)\/.*\.js$/;
    build.onLoad({ filter }, ({ path: file }) => ({ contents: patchedText(file) }));
  },
};

function byCall(name) {
  return loadedByCalls[name]
    .map((each) => `export const ${each} = (...args) => require('${name}').${each}(...args);`)
    .join('\n');
}

function patchedText(file) {
  const name = Object.keys(patches).find((end) => file.endsWith(`/node_modules/${end}`));
  let text = readFileSync(file, 'utf8');
  if (name) text = patches[name].reduce(replaceIn(name), text);
  if (requiresItself.test(file)) text = text.replace('const require = createRequire(import.meta.url);', '');
  if (isLazy.test(file)) text = withLazyImports(text);
  return namesClasses.test(file) ? withClassNames(text) : text;
}

/** esbuild renames classes here and there. With its option to keep names, each function would be given its own at each evaluation. */
export function withClassNames(text) {
  return text.replace(
    /(?<=^|\*\/ |= |export |default )class (\w+)(?: extends [^{\n]+)? \{$/gm,
    "$& static { Object.defineProperty(this, 'name', { value: '$1', configurable: true }); }",
  );
}

/** Makes functions of what the TypeScript compiler imports: `const isURL_1 = __importDefault(require("validator/lib/isURL"));`. */
function withLazyImports(text) {
  const names = [...text.matchAll(/^const (\w+_1) = .*require\(.*\);$/gm)].map(([, name]) => name);
  if (names.length === 0) return text;
  const all = names.join('|');
  return text
    .replace(new RegExp(`(?<!^const )\\b(${all})\\b`, 'gm'), '($1())') // in parentheses for `new`
    .replace(new RegExp(`^const (${all}) = `, 'gm'), 'const $1 = () => ');
}

function replaceIn(name) {
  return (text, [from, to]) => {
    if (!text.includes(from))
      throw new Error(`${name} has no longer "${from}": see scripts/bundle-patches.mjs.`);
    return text.replace(from, () => to);
  };
}

function lazyClass(name, from) {
  return `export default function ${name}(...args) {\n  return new (require('${from}'))(...args);\n}`;
}
