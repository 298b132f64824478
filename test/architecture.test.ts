import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SUITES } from './suites.ts';
import { cruise, plantFiles } from './support/import-table.ts';
import { findInCode, ROOT, type SourceFile, sourceFiles } from './support/source-files.ts';

const SRC = sourceFiles('src');

function except(...allowed: readonly (string | RegExp)[]): SourceFile[] {
  return SRC.filter(
    ({ path }) => !allowed.some((one) => (typeof one === 'string' ? one === path : one.test(path))),
  );
}

function readDocument(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

describe('the import table', () => {
  it('is kept by every file of src, and every file is read', () => {
    const verdict = cruise(ROOT);

    expect(verdict.violations).toEqual([]);
    expect(verdict.modulesRead).toBe(SRC.length);
  });

  it('bites', () => {
    using planted = plantFiles({
      'src/core/index.ts': "export * from './domain/task.ts';",
      'src/core/domain/task.ts': 'export const task = 1;',
      'src/core/store/index.ts': "export type { Late } from '../../node/slots.ts';",
      'src/core/domain/reads-a-file.ts': "import 'node:fs/promises';",
      'src/core/domain/validates.ts': "import 'zod';",
      'src/node/slots.ts': "import '../core/domain/task.ts'; export type Late = 1;",
      'src/stores/sqlite/store.ts': "import '../postgres/store.ts';",
      'src/stores/postgres/store.ts': "import 'no-such-package';",
      'src/doors/antfarm/door.ts': "import '../disbatch/door.ts';",
      'src/doors/disbatch/door.ts': "import '../../app/serve.ts';",
      'src/dashboard/page.tsx': "import 'node:os';",
      'src/app/serve.ts': "import '../elsewhere/thing.ts';",
      'src/elsewhere/thing.ts': "import '../core/index.ts';",
      'src/client/ring.ts': "import './gnir.ts';",
      'src/client/gnir.ts': "import './ring.ts';",
    });

    expect(cruise(planted.path).violations.map(withoutLongPath).toSorted()).toEqual(
      [
        'core: ours: src/core/store/index.ts -> src/node/slots.ts',
        'core: no I/O: src/core/domain/reads-a-file.ts -> fs/promises',
        'core: npm: src/core/domain/validates.ts -> zod',
        'node: ours: src/node/slots.ts -> src/core/domain/task.ts',
        'stores/sqlite: ours: src/stores/sqlite/store.ts -> src/stores/postgres/store.ts',
        'unresolved: src/stores/postgres/store.ts -> no-such-package',
        'doors/[^/]+: ours: src/doors/antfarm/door.ts -> src/doors/disbatch/door.ts',
        'doors/[^/]+: ours: src/doors/disbatch/door.ts -> src/app/serve.ts',
        'dashboard: no node built-ins: src/dashboard/page.tsx -> os',
        'app: ours: src/app/serve.ts -> src/elsewhere/thing.ts',
        'no area: src/elsewhere/thing.ts -> src/core/index.ts',
        'no cycles: src/client/gnir.ts -> src/client/ring.ts',
      ].toSorted(),
    );
  });

  it('lets through what it allows', () => {
    using planted = plantFiles({
      'src/core/index.ts': "export * from './clock.ts';",
      'src/core/clock.ts': "import 'node:crypto'; export const clock = 1;",
      'src/core/clock.test.ts': "import 'vitest'; import './clock.ts';",
      'src/core/store/index.ts': "export * from '../clock.ts';",
      'src/stores/sqlite/store.ts': `
        import '../../core/store/index.ts'; import '@photostructure/sqlite'; import 'node:sqlite';`,
      'src/doors/door.ts': "import '../core/index.ts';",
      'src/doors/antfarm/door.ts': "import '../door.ts'; import './wire.ts'; import 'fastify';",
      'src/doors/antfarm/wire.ts': "import 'zod'; import '../../core/index.ts';",
      'src/api/contract/task-endpoints.ts': "import 'zod'; import '../../core/index.ts';",
      'src/api/server/create-api.ts': `
        import '../contract/task-endpoints.ts'; import '@fastify/static'; import 'fastify';`,
      'src/client/remote-engine.ts': "import '../api/contract/task-endpoints.ts';",
      'src/dashboard/page.tsx': "import '../client/remote-engine.ts'; import 'preact';",
      'src/app/serve.ts': "import '../core/clock.ts'; import 'pino'; import 'yaml';",
      'src/sdk/index.ts': "export * from '../core/index.ts'; import '../app/serve.ts';",
      'src/cli/main.ts': `
        import '../app/serve.ts'; import '../api/contract/task-endpoints.ts'; import 'commander';`,
    });

    const verdict = cruise(planted.path);

    expect(verdict.violations).toEqual([]);
    expect(verdict.modulesRead).toBe(15);
  });
});

/** An installed package is named by its path, which differs between machines. */
function withoutLongPath(violation: string): string {
  return violation.replace(/-> .*node_modules\/([^/]+)\/.*/, '-> $1');
}

describe('src', () => {
  it('is searched in code, not in comments and strings', () => {
    const text =
      "const now = Date.now();\n// Date.now()\nconst text = 'Date.now()';\n/*\nDate.now() */";

    expect(findInCode([{ path: 'a.ts', text }], /Date\.now/)).toEqual([
      'a.ts:1: const now = Date.now();',
    ]);
  });

  it('reaches for no clock, timer or chance', () => {
    const files = except('src/core/clock.ts', 'src/core/random.ts', /^src\/dashboard\//);
    const strays =
      /Date\.now\b|new Date\(\s*\)|performance\.now|process\.hrtime|(?<!\.)\bset(Timeout|Interval|Immediate)\b|globalThis\.set|Math\.random|\brandom(Bytes|UUID|Int)\b|\brandomFill|getRandomValues/;

    expect(findInCode(files, strays)).toEqual([]);
  });

  it('reads the environment in app/ and cli/main.ts only', () => {
    const files = except(/^src\/app\//, 'src/cli/main.ts', /\.test\.tsx?$/);

    expect(findInCode(files, /process\.env\b|process\[|import.*\benv\b.*from\s/)).toEqual([]);
  });

  it('has no file over 300 lines', () => {
    const long = SRC.filter(({ text }) => text.trimEnd().split('\n').length > 300);

    expect(long.map(({ path }) => path)).toEqual([]);
  });

  it('has no name that says nothing', () => {
    const words = /(^|[/-])(utils?|helpers?|common|misc)(?=[./-])/;
    const wholeNames = /(^|\/)(manager|base|types|interfaces)(\/|\.tsx?$)/;

    const bad = SRC.filter(({ path }) => words.test(path) || wholeNames.test(path));

    expect(bad.map(({ path }) => path)).toEqual([]);
  });
});

describe('tests', () => {
  it('each belong to a suite', () => {
    const folders = SUITES.flatMap((suite) => suite.folders);
    const orphans = [...SRC, ...sourceFiles('test'), ...sourceFiles('scripts')]
      .map(({ path }) => path)
      .filter((path) => /\.test\.tsx?$/.test(path) && !/^test\/[^/]+\.test\.ts$/.test(path))
      .filter((path) => !folders.some((folder) => path.startsWith(`${folder}/`)));

    expect(orphans).toEqual([]);
  });
});

describe('package-lock.json', () => {
  const { packages } = JSON.parse(readDocument('package-lock.json')) as LockFile;

  it('names no registry', () => {
    expect(Object.entries(packages).filter(([, entry]) => entry.resolved)).toEqual([]);
  });

  it('has every platform package, or `npm ci` fails: run `npm run lock`', () => {
    const optional = Object.values(packages).flatMap((entry) =>
      Object.keys(entry.optionalDependencies ?? {}),
    );

    expect(optional.filter((name) => !packages[`node_modules/${name}`])).toEqual([]);
  });
});

interface LockFile {
  readonly packages: Record<
    string,
    { readonly resolved?: string; readonly optionalDependencies?: Record<string, string> }
  >;
}

describe('documents', () => {
  it('docs/errors.md lists every error code, and no other', async () => {
    const { ERRORS } = await import('../src/core/errors.ts');
    const entries = readDocument('docs/errors.md').matchAll(/^(?:\||#+)\s*`([A-Z][A-Z0-9_]+)`/gm);

    const documented = [...entries].map(([, code]) => code);

    expect(documented.toSorted()).toEqual(Object.keys(ERRORS).toSorted());
  });

  it("docs/state-machines.md draws the task's moves as they are", async () => {
    const { TASK_MOVES } = await import('../src/core/domain/task.ts');
    const section = /^#+\s*Tasks?\b[^\n]*\n[\s\S]*?```mermaid\n([\s\S]*?)```/im;
    const diagram = section.exec(readDocument('docs/state-machines.md'))?.[1] ?? '';

    const drawn = [...diagram.matchAll(/^\s*(\w+)\s*-->\s*(\w+)/gm)].map(
      ([, from, to]) => `${from} --> ${to}`,
    );
    const real = Object.entries(TASK_MOVES).flatMap(([from, moves]) =>
      moves.map((to: string) => `${from} --> ${to}`),
    );

    expect(drawn.toSorted()).toEqual(real.toSorted());
  });
});
