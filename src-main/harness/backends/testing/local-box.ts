import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxClient } from '../sandbox/sandbox';

export interface LocalBoxOptions {
  shell?: string;
  /** Arguments before `-c` and the command. */
  args?: string[];
  /** Where programs are found. Default: this process's PATH. */
  path?: string;
  /** Every command that ran. */
  asked?: string[];
}

/** A real shell on this machine that stands in for a remote one, with whole commands and whole files. */
export function localBox({
  shell = '/bin/sh',
  args = [],
  path,
  asked = [],
}: LocalBoxOptions = {}): SandboxClient {
  const env = path === undefined ? process.env : { PATH: path };
  return {
    id: `local-${shell}`,
    execute: (command) => {
      asked.push(command);
      return new Promise((resolve) =>
        execFile(
          shell,
          [...args, '-c', command],
          { maxBuffer: 64 * 1024 * 1024, env },
          (error, stdout, stderr) =>
            resolve({
              output: stdout + stderr,
              exitCode: error === null ? 0 : typeof error.code === 'number' ? error.code : 1,
              truncated: false,
            }),
        ),
      );
    },
    uploadFiles: async (files) =>
      files.map(([target, content]) => {
        writeFileSync(target, content);
        return { path: target, error: null };
      }),
    downloadFiles: (paths) =>
      paths.map((target) =>
        existsSync(target) && statSync(target).isFile()
          ? { path: target, content: new Uint8Array(readFileSync(target)), error: null }
          : { path: target, content: null, error: 'file_not_found' as const },
      ),
  };
}

/** Fills a folder with the programs of the smallest sandbox: POSIX ones and `stat`, no checksums, base64 or readlink. */
export function bareBin(folder: string): void {
  const needed =
    'sh find grep sed cut head tail tr wc mv mkdir rm ln chmod stat printf cat sort awk expr dd'.split(' ');
  for (const name of needed) {
    const found = execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    // Shell built-ins need a program too, for `find -exec`.
    const program = found.startsWith('/')
      ? found
      : ['/usr/bin', '/bin'].map((bin) => join(bin, name)).find(existsSync);
    if (program !== undefined) symlinkSync(program, join(folder, name));
  }
}

export const hasBusybox = (() => {
  try {
    execFileSync('busybox', ['true']);
    return true;
  } catch {
    return false;
  }
})();
