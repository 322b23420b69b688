// Playwright's reporter for `npm test`: prints failures immediately and progress periodically, and writes the result.
import { relative } from 'node:path';
import { root } from '../process.mjs';
import { failureText, firstLines, writeResult } from './results.mjs';

/** Milliseconds between progress lines. */
const EVERY = 20_000;

/** @typedef {import('@playwright/test/reporter').TestCase} TestCase */

export default class PlaywrightReporter {
  /** @type {import('./results.mjs').Result} */
  result = { passed: 0, failures: [], skips: [] };
  all = 0;
  started = Date.now();
  told = Date.now();

  printsToStdio() {
    return true;
  }

  /** @param {unknown} _config @param {import('@playwright/test/reporter').Suite} suite */
  onBegin(_config, suite) {
    this.all = suite.allTests().length;
  }

  /** @param {TestCase} test @param {import('@playwright/test/reporter').TestResult} result */
  onTestEnd(test, result) {
    const name = `${relative(root, test.location.file)} › ${test.titlePath().slice(3).join(' › ')}`;
    if (result.status === 'skipped') {
      const reason = test.annotations.find(({ type }) => type === 'skip')?.description ?? '';
      this.result.skips.push({ test: name, reason });
    } else if (test.ok()) {
      this.result.passed += 1;
      this.result.longest = Math.max(this.result.longest ?? 0, result.duration);
    } else {
      const failure = { test: name, why: firstLines(result.error?.stack ?? result.error?.message) };
      this.result.failures.push(failure);
      console.log(failureText(failure));
    }
    // The last journey is reported by the end of the run.
    if (Date.now() - this.told > EVERY && this.ended < this.all) this.progress();
  }

  /** @param {import('@playwright/test/reporter').TestError} error outside of all tests */
  onError(error) {
    const failure = {
      test: 'an error outside of every journey',
      why: firstLines(error.stack ?? error.message),
    };
    this.result.failures.push(failure);
    console.log(failureText(failure));
  }

  onEnd() {
    this.progress();
    writeResult(this.result);
  }

  get ended() {
    const { passed, failures, skips } = this.result;
    return passed + failures.length + skips.length;
  }

  progress() {
    this.told = Date.now();
    const { failures } = this.result;
    const failed = failures.length > 0 ? `, ${failures.length} failed` : '';
    const seconds = Math.round((this.told - this.started) / 1000);
    console.log(`${this.ended} of ${this.all} journeys${failed} (${seconds} s)`);
  }
}
