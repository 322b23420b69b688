import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

interface Ran {
  stdout: string;
  stderr: string;
  code: number;
}

/** Runs a command in a real shell on this machine. */
function run(program: string, args: string[]): Promise<Ran> {
  return new Promise((resolve) =>
    execFile(program, args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({
        stdout,
        stderr,
        code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1,
      }),
    ),
  );
}

/**
 * A fake of Deno's SDK, as far as the published provider uses it: processes with text output, text files, and closing.
 * Commands run in a real bash on this machine.
 */
export function denoSandbox(closed: string[]) {
  return {
    id: 'deno-1',
    spawn: async (command: string, { args }: { args: string[] }) => ({
      output: async () => {
        const { stdout, stderr, code } = await run(command, args);
        return { status: { success: code === 0, code }, stdoutText: stdout, stderrText: stderr };
      },
    }),
    writeTextFile: async (path: string, text: string) => writeFileSync(path, text),
    close: async () => void closed.push('close'),
    kill: async () => void closed.push('kill'),
  };
}

interface FakeOptions {
  className: string;
  /** Files are transferred as text, as with some providers. */
  isLossy: boolean;
  /** The arguments of `create`, and `close` once it was called. */
  calls: unknown[];
  /** The error that `create` throws. */
  refuses?: Error & { code?: string };
}

/** A provider's package: one class whose sandboxes run on this machine. Unused methods exist and throw. */
export function fakeProvider({ className, isLossy, calls, refuses }: FakeOptions): Record<string, unknown> {
  const text = (bytes: Uint8Array) =>
    isLossy ? new TextEncoder().encode(new TextDecoder().decode(bytes)) : bytes;
  const unused = () => {
    throw new Error('The package does its own paging and searching no longer.');
  };
  const sandbox = {
    id: `${className}-1`,
    execute: async (command: string) => {
      const { stdout, stderr, code } = await run('/bin/sh', ['-c', command]);
      return { output: stdout + stderr, exitCode: code, truncated: false };
    },
    uploadFiles: async (files: [string, Uint8Array][]) =>
      files.map(([path, content]) => {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text(content));
        return { path, error: null };
      }),
    downloadFiles: async (paths: string[]) =>
      paths.map((path) =>
        existsSync(path)
          ? { path, content: text(new Uint8Array(readFileSync(path))), error: null }
          : { path, content: null, error: 'file_not_found' as const },
      ),
    ...Object.fromEntries(
      ['ls', 'read', 'readRaw', 'grep', 'glob', 'write', 'edit'].map((name) => [name, unused]),
    ),
    close: async () => void calls.push('close'),
  };
  // Only what `create` is tested for is here. The rest of the class is up to the package.
  const create = async (options: unknown) => {
    calls.push(options);
    if (refuses !== undefined) throw refuses;
    return sandbox;
  };
  return { [className]: Object.assign(() => undefined, { create }) };
}
