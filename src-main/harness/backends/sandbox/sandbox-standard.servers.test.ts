import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as published from 'deepagents';
import { afterAll, describe, vi } from 'vitest';
import type { ExecuteResponse } from '../commands';
import { isFailure } from '../failure';
import { openSandbox } from '../providers';
import type { ProviderKind } from '../providers/options';
import { LocalShellBackend } from '../shell/local-shell';
import { langSmithBox } from '../testing/langsmith-box';
import { denoSandbox, fakeProvider } from '../testing/provider-fakes';
import { BaseSandbox } from './base-sandbox';
import type { ProvidedSandbox } from './cases/suite.contract';
import { LangSmithSandbox } from './langsmith-sandbox';
import { describeSandbox } from './sandbox.contract';

/** The folder of one suite. */
function folderFor(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `deepdesk-${name}-`)));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function put(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

const local = folderFor('local');
describeSandbox('LocalShellBackend', {
  create: async ({ initialFiles }) => {
    put(Object.fromEntries(Object.entries(initialFiles).map(([path, text]) => [join(local, path), text])));
    return LocalShellBackend.create({ rootDir: local });
  },
  createUninitialized: () => new LocalShellBackend({ rootDir: local }),
  close: (shell) => shell.close(),
  pathOf: (name) => `/${name}`,
  shellPathOf: (name) => join(local, name),
});

const run = (command: string) =>
  new Promise<ExecuteResponse>((resolve) =>
    execFile('/bin/sh', ['-c', command], { maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
      resolve({
        output: stdout + stderr,
        exitCode: error === null ? 0 : Number(error.code),
        truncated: false,
      }),
    ),
  );

/** A provider's class as its author writes it: with a second step, commands and transfer. */
function boxOf(Base: typeof BaseSandbox) {
  return class Box extends Base {
    isRunning = false;
    initialize() {
      this.isRunning = true;
    }
    get id() {
      return 'box';
    }
    execute(command: string) {
      return run(command);
    }
    async uploadFiles(files: [string, Uint8Array][]) {
      for (const [path, content] of files) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, content);
      }
      return files.map(([path]) => ({ path, error: null }));
    }
    async downloadFiles(paths: string[]) {
      return paths.map((path) =>
        existsSync(path)
          ? { path, content: new Uint8Array(readFileSync(path)), error: null }
          : { path, content: null, error: 'file_not_found' as const },
      );
    }
  };
}

for (const [name, Base] of [
  ['A class that extends BaseSandbox', BaseSandbox],
  ["A class that extends the published package's BaseSandbox", published.BaseSandbox as never],
] as [string, typeof BaseSandbox][]) {
  const folder = folderFor('base');
  const Box = boxOf(Base);
  describeSandbox(name, {
    create: async ({ initialFiles }) => {
      put(initialFiles);
      const box = new Box();
      box.initialize();
      return box;
    },
    createUninitialized: () => new Box(),
    close: (box) => {
      box.isRunning = false;
    },
    pathOf: (file) => join(folder, file),
  });
}

const langSmith = folderFor('langsmith');
describeSandbox('LangSmithSandbox', {
  create: async ({ initialFiles }) => {
    put(initialFiles);
    return new LangSmithSandbox({ sandbox: langSmithBox() });
  },
  close: (sandbox) => sandbox.close(),
  pathOf: (file) => join(langSmith, file),
});

async function opened(
  kind: Exclude<ProviderKind, 'vfs'>,
  initialFiles: Record<string, string>,
  load?: () => Promise<unknown>,
) {
  const made = await openSandbox(kind, { initialFiles, auth: { token: 'test' } } as never, load);
  if (isFailure(made)) throw new Error(made.error);
  const sandbox = made.backend as ProvidedSandbox & { close: () => Promise<void> };
  return Object.defineProperty(Object.assign(sandbox, { close: made.close }), 'isRunning', {
    get: () => made.isRunning,
  });
}

for (const [kind, fake] of [
  ['modal', { className: 'ModalSandbox', isLossy: true, calls: [] }],
  ['daytona', { className: 'DaytonaSandbox', isLossy: false, calls: [] }],
] as const) {
  const folder = folderFor(kind);
  describeSandbox(`openSandbox('${kind}')`, {
    create: ({ initialFiles }) =>
      opened(kind, initialFiles, async () => fakeProvider({ ...fake, calls: [] })),
    close: (sandbox) => sandbox.close(),
    pathOf: (file) => join(folder, file),
  });
}

describe("Deno's published package", () => {
  const folder = folderFor('deno');
  afterAll(() => vi.restoreAllMocks());
  describeSandbox("openSandbox('deno')", {
    create: async ({ initialFiles }) => {
      /** Its SDK, which this machine stands in for. We do not depend on it, so it is resolved by name. */
      const sdk = '@deno/sandbox';
      const { Sandbox } = await import(/* @vite-ignore */ sdk);
      vi.spyOn(Sandbox, 'create').mockImplementation(async () => denoSandbox([]));
      return opened('deno', initialFiles);
    },
    close: (sandbox) => sandbox.close(),
    pathOf: (file) => join(folder, file),
  });
});
