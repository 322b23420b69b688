import { afterEach, beforeEach, describe } from 'vitest';
import { describeCalls } from './cases/call.contract';
import { describeFiles } from './cases/file.contract';
import { describeSearch } from './cases/search.contract';
import type { Tested } from './cases/subject.contract';

export type { Tested };

/** The contract of every backend, whatever it is built on. `at` is where its files are, for backends mounted in a tree. */
export function describeBackend(name: string, make: () => Promise<Tested>, at = ''): void {
  describe(`${name} keeps the contract`, () => {
    let tested: Tested;
    beforeEach(async () => {
      tested = await make();
    });
    afterEach(() => tested.close?.());

    const on = {
      get tested() {
        return tested;
      },
      get backend() {
        return tested.backend;
      },
      at: (path: string) => `${at}${path}`,
    };
    describeFiles(on);
    describeSearch(on);
    describeCalls(on);
  });
}
