import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  JsonReporter,
  type Reporter,
  type SerializedError,
  type TestModule,
  type TestRunEndReason,
  type Vitest,
} from 'vitest/node';

/**
 * Keeps each suite's last whole run in `<folder>/<suite>.json`, in the form of vitest's own JSON
 * reporter. `npm run mission` reads them. A run of chosen files or titles leaves them as they are.
 */
export class SuiteResults implements Reporter {
  readonly #folder: string;
  #vitest: Vitest | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    _errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): Promise<void> {
    const vitest = this.#vitest;
    if (!vitest || reason === 'interrupted' || vitest.config.testNamePattern) return;

    await mkdir(this.#folder, { recursive: true });
    for (const project of vitest.projects) {
      const ran = modules.filter((module) => module.project === project);
      const { testFiles } = await project.globTestFiles();
      if (ran.length === 0 || ran.length < testFiles.length) continue;

      const reporter = new QuietJsonReporter(join(this.#folder, `${project.name}.json`));
      reporter.onInit(vitest);
      await reporter.onTestRunEnd(ran);
    }
  }
}

/** Vitest's JSON reporter announces each file it writes; this one does not. */
class QuietJsonReporter extends JsonReporter {
  readonly #file: string;

  constructor(file: string) {
    super({});
    this.#file = file;
  }

  override async writeReport(report: string): Promise<void> {
    await writeFile(this.#file, report);
  }
}
