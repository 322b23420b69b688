// Vitest's reporter for `npm test` and `npm run check`: prints failures immediately and progress periodically, and writes
// the result.
import { failureText, firstLines, writeResult } from './results.mjs';

/** Milliseconds between progress lines. */
const EVERY = 20_000;
/** A test skipped by `describe.skipIf` gives the reason at the end of its title. */
const REASON_IN_NAME = /\(skipped: (.+?)\)(?= > |$)/;

/** @typedef {import('vitest/node').TestCase} TestCase */
/** @typedef {import('vitest/node').TestModule} TestModule */

export default class VitestReporter {
  /** @type {import('./results.mjs').Result} */
  result = { passed: 0, failures: [], skips: [] };
  files = 0;
  ended = 0;
  started = Date.now();
  told = Date.now();

  /** @param {readonly unknown[]} specifications one per file */
  onTestRunStart(specifications) {
    this.files = specifications.length;
  }

  /** @param {TestModule} module */
  onTestModuleEnd(module) {
    this.ended += 1;
    const file = module.relativeModuleId;
    for (const test of module.children.allTests()) this.add(file, test);
    const own = module.errors();
    if (own.length > 0) this.fail(file, own[0]?.stack ?? own[0]?.message);
    // The last file is reported by the end of the run.
    if (this.ended < this.files && Date.now() - this.told > EVERY) this.progress();
  }

  /** @param {readonly unknown[]} _modules @param {readonly { stack?: string, message?: string }[]} errors that no test caught */
  onTestRunEnd(_modules, errors) {
    for (const error of errors) this.fail('an error outside of every test', error.stack ?? error.message);
    this.progress();
    writeResult(this.result);
  }

  /** Something left behind by a test kept the process alive for ten seconds; Vitest kills it then. The results are valid. */
  onProcessTimeout() {
    console.log('note: something that a test left behind kept the test process from exiting');
  }

  /** @param {string} file @param {TestCase} test */
  add(file, test) {
    const result = test.result();
    if (result.state === 'passed') {
      this.result.passed += 1;
      this.result.longest = Math.max(this.result.longest ?? 0, test.diagnostic()?.duration ?? 0);
    } else if (result.state === 'failed') this.fail(`${file} › ${test.fullName}`, result.errors[0]?.stack);
    else {
      const note = result.state === 'skipped' ? result.note : undefined;
      const reason = note ?? REASON_IN_NAME.exec(test.fullName)?.[1] ?? '';
      this.result.skips.push({
        test: `${file} › ${test.fullName.replace(REASON_IN_NAME, '').trim()}`,
        reason,
      });
    }
  }

  /** @param {string} test @param {string | undefined} message */
  fail(test, message) {
    const failure = { test, why: firstLines(message) };
    this.result.failures.push(failure);
    console.log(failureText(failure));
  }

  progress() {
    this.told = Date.now();
    const seconds = Math.round((this.told - this.started) / 1000);
    const failed = this.result.failures.length > 0 ? `, ${this.result.failures.length} failed` : '';
    console.log(
      `${this.ended} of ${this.files} files, ${this.result.passed} tests passed${failed} (${seconds} s)`,
    );
  }
}
