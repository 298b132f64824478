// The architecture as a table: each area, what of ours it may import, and which npm packages.
// Its own folder and node: built-ins are always allowed. Anything not listed is an error.
const AREAS = {
  core: { ours: [], npm: ['croner'] }, // pure schedule arithmetic, in rules/ only
  'stores/sqlite': { ours: ['core/store/index.ts'], npm: ['@photostructure/sqlite'] },
  'stores/postgres': { ours: ['core/store/index.ts'], npm: ['pg'] },
  'stores/mongo': { ours: ['core/store/index.ts'], npm: ['mongodb'] },
  node: { ours: ['core/index.ts'], npm: [] },
  'doors/door.ts': { ours: ['core/index.ts'], npm: [] },
  'doors/[^/]+': {
    ours: ['core/index.ts', 'doors/door.ts'],
    npm: ['fastify', 'zod', 'mongodb', 'cborg', 'fast-xml-parser'],
  },
  'api/contract': { ours: ['core/index.ts'], npm: ['zod'] },
  'api/server': { ours: ['core/index.ts', 'api/contract/'], npm: ['fastify', '@fastify', 'zod'] },
  client: { ours: ['core/index.ts', 'api/contract/'], npm: ['zod'] },
  dashboard: {
    ours: ['core/index.ts', 'api/contract/', 'client/'],
    npm: ['preact', '@preact/signals'],
  },
  app: {
    ours: ['core/', 'stores/', 'node/', 'doors/', 'api/', 'client/'],
    npm: ['zod', 'pino', 'yaml'],
  },
  sdk: { ours: ['core/', 'node/', 'app/', 'client/'], npm: [] },
  cli: { ours: ['core/index.ts', 'client/', 'app/', 'api/contract/'], npm: ['commander'] },
};

// Tests beside the code may use the test tools and test/support; the table of ours binds them too.
const TEST = '\\.test\\.tsx?$';

const areaRules = Object.entries(AREAS).flatMap(([area, { ours, npm }]) => [
  {
    name: `${area}: ours`,
    severity: 'error',
    from: { path: `^src/(${area})(/|$)` },
    to: { path: '^src/', pathNot: ['^src/$1(/|$)', ...ours.map((path) => `^src/${path}`)] },
  },
  {
    name: `${area}: npm`,
    severity: 'error',
    from: { path: `^src/(${area})(/|$)`, pathNot: TEST },
    to: { path: 'node_modules/', pathNot: npm.map((name) => `node_modules/(@types/)?${name}/`) },
  },
]);

const otherRules = [
  {
    name: 'no area',
    comment: 'A folder of src that is not in the table may import nothing.',
    from: { path: '^src/', pathNot: Object.keys(AREAS).map((area) => `^src/${area}(/|$)`) },
    to: {},
  },
  {
    name: 'core: croner in rules only',
    from: { path: '^src/core/', pathNot: '^src/core/rules/' },
    to: { path: 'node_modules/croner/' },
  },
  {
    name: 'core: no I/O',
    from: { path: '^src/core/', pathNot: TEST },
    to: {
      dependencyTypes: ['core'],
      path: '^(node:)?(fs|net|http|https|http2|tls|dgram|dns|child_process|cluster|worker_threads)(/|$)',
    },
  },
  {
    name: 'dashboard: no node built-ins',
    from: { path: '^src/dashboard/', pathNot: TEST },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'no tests in the product',
    from: { path: '^src/', pathNot: TEST },
    to: { path: ['^(test|scripts|bench|examples)/', TEST] },
  },
  {
    // An import that resolves to no file would slip past every rule above.
    name: 'unresolved',
    from: { path: '^src/' },
    to: { couldNotResolve: true, pathNot: '^node:' },
  },
  { name: 'no cycles', from: {}, to: { circular: true } },
].map((rule) => ({ severity: 'error', ...rule }));

export default {
  forbidden: [...areaRules, ...otherRules],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.d.ts', '.json', '.css'],
    },
  },
};
