import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adaptSandboxProtocol } from '../adapt';
import { editCases, globCases, grepCases, listCases } from './cases/changes-and-searches.contract';
import { commandCases, initialFileCases, lifecycleCases, workflowCases } from './cases/commands.contract';
import { readCases, transferCases, writeCases } from './cases/files.contract';
import type { ProvidedSandbox, Suite } from './cases/suite.contract';

/** How the suite creates and closes sandboxes. */
export interface SandboxSuite<T extends ProvidedSandbox> {
  /** Creates a sandbox with these files in it, by the paths of `pathOf`. */
  create(options: { initialFiles: Record<string, string> }): Promise<T>;
  /** For sandboxes that are initialized in a second step. */
  createUninitialized?(): T | Promise<T>;
  /** Closes a sandbox of `create`. */
  close(sandbox: T): void | Promise<void>;
  /** Where a file is for the sandbox's methods and commands. Default: below `/tmp`. */
  pathOf?(name: string): string;
  /** Where a file is for commands, if they see other paths. */
  shellPathOf?(name: string): string;
  /** Milliseconds for one case. Default: Vitest's. */
  timeout?: number;
}

/**
 * The standard cases of a sandbox, 93 as in the published package's suite for providers: life cycle, commands, transfer,
 * writing, reading, editing, listing, searching, initial files, and some together. For your own provider, and ours.
 */
export function describeSandbox<T extends ProvidedSandbox>(name: string, suite: SandboxSuite<T>): void {
  describe(`${name} is a standard sandbox`, () => {
    const { timeout, pathOf = (file) => `/tmp/${file}`, shellPathOf = pathOf } = suite;
    let shared: T;
    beforeAll(async () => {
      shared = await suite.create({ initialFiles: {} });
    }, timeout);
    afterAll(async () => suite.close(shared), timeout);

    const { createUninitialized } = suite;
    const cases: Suite = {
      sandbox: () => adaptSandboxProtocol(shared),
      given: () => shared,
      withFiles: async (files, work) => {
        const initialFiles = Object.fromEntries(
          Object.entries(files).map(([file, text]) => [pathOf(file), text]),
        );
        const made = await suite.create({ initialFiles });
        try {
          expect(made.isRunning ?? true).toBe(true);
          await work(adaptSandboxProtocol(made));
        } finally {
          await suite.close(made);
        }
      },
      closed: async () => {
        const made = await suite.create({ initialFiles: {} });
        expect(made.isRunning ?? true).toBe(true);
        await suite.close(made);
        return made;
      },
      initialized:
        createUninitialized === undefined
          ? null
          : async () => {
              const made = await createUninitialized();
              const before = made.isRunning;
              await made.initialize?.();
              await suite.close(made);
              return { before, after: made };
            },
      at: pathOf,
      shell: (file) => `'${shellPathOf(file).replaceAll("'", `'\\''`)}'`,
      it: (title, work) => it(title, work, timeout),
    };
    describe('life cycle', () => lifecycleCases(cases));
    describe('commands', () => commandCases(cases));
    describe('transfer', () => transferCases(cases));
    describe('write', () => writeCases(cases));
    describe('read', () => readCases(cases));
    describe('edit', () => editCases(cases));
    describe('ls', () => listCases(cases));
    describe('grep', () => grepCases(cases));
    describe('glob', () => globCases(cases));
    describe('initial files', () => initialFileCases(cases));
    describe('workflows', () => workflowCases(cases));
  });
}
