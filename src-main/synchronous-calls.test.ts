import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, it } from 'vitest';

/**
 * The main process serves the window and every run on one thread, so nothing there waits for a disk: what does not end in
 * `Sync` is what is used. These are the exceptions, each with its reason and its calls; a new one belongs in here only
 * where it holds nothing up.
 */
const ALLOWED: Record<string, Record<string, readonly string[]>> = {
  'in a worker, or a process of its own': {
    'harness/agent/media/office/archive.ts': ['unzipSync'],
    'base/git-folder.ts': ['lstatSync', 'readRegularSync', 'statSync'],
    'base/ignore-files.ts': ['lstatSync', 'readRegularSync', 'readdirSync'],
    'base/open-regular-sync.ts': [
      'closeSync',
      'fstatSync',
      'openRegularSync',
      'openSync',
      'readOpenedSync',
      'readRegularBytesSync',
      'readRegularSync',
      'readSync',
      'readlinkSync',
      'statSync',
    ],
    'harness/backends/search/scan/source.ts': ['readSync'],
    'harness/backends/search/scan/stats.ts': ['lstatSync'],
    'harness/backends/search/scan/walk.ts': [
      'closeSync',
      'existsSync',
      'fstatSync',
      'openSync',
      'readRegularBytesSync',
      'readdirSync',
      'readlinkSync',
    ],
    'changes/apply.ts': [
      'chmodSync',
      'closeSync',
      'fchmodSync',
      'fchownSync',
      'fstatSync',
      'fsyncSync',
      'ftruncateSync',
      'lstatSync',
      'mkdirSync',
      'openSync',
      'readlinkSync',
      'renameSync',
      'rmSync',
      'rmdirSync',
      'symlinkSync',
      'unlinkSync',
      'writeFileSync',
      'writeSync',
    ],
    'changes/contents.ts': [
      'deflateRawSync',
      'existsSync',
      'inflateRawSync',
      'mkdirSync',
      'readFileSync',
      'readdirSync',
      'renameSync',
      'rmSync',
      'statSync',
      'unlinkSync',
      'utimesSync',
      'writeFileSync',
    ],
    'changes/engine.ts': ['existsSync', 'mkdirSync', 'readFileSync', 'readdirSync', 'rmSync', 'statSync'],
    'changes/folder-reader.ts': ['lstatSync', 'readdirSync', 'readlinkSync'],
    'changes/folder-index.ts': [
      'appendFileSync',
      'existsSync',
      'mkdirSync',
      'readFileSync',
      'renameSync',
      'statSync',
      'truncateSync',
      'utimesSync',
      'writeFileSync',
    ],
    'changes/folder-watches.ts': ['readFileSync'],
    'changes/system.ts': [
      'closeSync',
      'existsSync',
      'lstatSync',
      'openSync',
      'readRegularSync',
      'readdirSync',
      'readlinkSync',
    ],
    'changes/unkept-file.ts': ['chmodSync', 'linkSync', 'lstatSync', 'renameSync', 'unlinkSync'],
    'storage/data-jobs/data-jobs.ts': [
      'existsSync',
      'mkdtempSync',
      'readdirSync',
      'renameSync',
      'rmSync',
      'statSync',
      'writeFileSync',
    ],
    'workspace/git-index.ts': ['readRegularSync'],
    'workspace/large-folders.ts': ['closeSync', 'lstatSync', 'opendirSync', 'readSync'],
    'workspace/marks.ts': ['lstatSync', 'readRegularSync'],
    'workspace/scout.ts': ['closeSync', 'openRegularSync'],
  },
  'once in a run, before or while the window comes up': {
    'base/built-worker.ts': ['existsSync'],
    'base/make-folder.ts': ['makeFolderSync', 'missingSync', 'mkdirSync', 'statSync'],
    'base/replace-file.ts': ['closeSync', 'flushNamesSync', 'fsyncSync', 'openSync'],
    'host/project/access/secrets.ts': ['flushNamesSync', 'readFileSync', 'writeFileSync'],
    'harness/sandbox/detect.ts': ['existsSync'],
    'harness/sandbox/rehearsal/run/helper.ts': ['existsSync'],
    'storage/database/database-file.ts': [
      'closeSync',
      'existsSync',
      'fsyncSync',
      'openSync',
      'rmSync',
      'writeFileSync',
    ],
    'storage/data-jobs/unfinished-files.ts': ['readFileSync', 'readdirSync', 'rmSync'],
    'storage/database/open.ts': [
      'chmodSync',
      'closeSync',
      'existsSync',
      'lstatSync',
      'makeFolderSync',
      'openSync',
      'readdirSync',
      'renameSync',
      'rmSync',
      'statSync',
      'statfsSync',
      'writeFileSync',
    ],
    'storage/database/repair.ts': ['closeSync', 'openSync'],
  },
  'at the start and in the last moment, after which nothing is waited for': {
    'base/remove-tree.ts': [
      'chmodSync',
      'lstatSync',
      'readdirSync',
      'removeTreeSync',
      'renameSync',
      'rmSync',
    ],
    'host/settings/pending-data.ts': [
      'existsSync',
      'readFileSync',
      'readdirSync',
      'removeTreeSync',
      'renameSync',
      'rmSync',
      'writeFileSync',
    ],
    'updates/updates.ts': ['mkdirSync', 'writeFileSync'],
    'updates/replace-app.ts': [
      'accessSync',
      'closeSync',
      'fsyncSync',
      'lstatSync',
      'openSync',
      'readSync',
      'readdirSync',
      'realpathSync',
      'renameSync',
      'rmSync',
      'writeSync',
    ],
    'electron/graphics.ts': ['existsSync'],
    // Only where the lock was refused: the process ends either way.
    'electron/instance-lock.ts': ['mkdirSync', 'mkdtempSync', 'rmdirSync'],
    'electron/window-state.ts': ['existsSync', 'mkdirSync', 'readFileSync', 'renameSync', 'writeFileSync'],
  },
  'the kernel answers from memory (/proc, an open descriptor), and a turn of the thread pool costs ten times that':
    {
      'harness/backends/disk/guard.ts': ['readlinkSync'],
      'base/regular-file.ts': ['existsSync', 'readlinkSync'],
      // Of what was just looked up, as a place (`O_PATH`): no file system is asked.
      'harness/backends/disk/handle.ts': ['closeSync', 'fstatSync', 'openSync'],
      'harness/sandbox/rehearsal/keep/conflicts.ts': ['readFileSync', 'readdirSync', 'readlinkSync'],
      // Of a path that was just looked up.
      'harness/sandbox/rehearsal/layer/entry.ts': ['lstatSync'],
      // And a line that bubblewrap has just written, asked for in the moment in which processes are ended.
      'harness/sandbox/rehearsal/run/processes.ts': ['readFileSync', 'readdirSync', 'readlinkSync'],
      'storage/leases.ts': ['readFileSync'],
      'terminal/input-wait.ts': ['readFileSync', 'readdirSync', 'readlinkSync'],
      'terminal/pty/process-list.ts': ['readFileSync', 'readdirSync'],
      'terminal/pty/safe-pty.ts': ['writeSync'],
      'terminal/session.ts': ['readlinkSync'],
    },
  'part of the published API, for other programs; the app does not call it': {
    'harness/agent/knowledge/settings.ts': ['existsSync', 'makeFolderSync'],
    'harness/agent/knowledge/skill-folders.ts': [
      'existsSync',
      'readRegularSync',
      'readdirSync',
      'realpathSync',
    ],
  },
  'in the same moment as what it is for: a rename that must not be overtaken, a program that is started there':
    {
      'harness/backends/disk/atomic-write.ts': ['lstatSync'],
      'terminal/pty/pty.ts': ['existsSync', 'statSync'],
      'harness/sandbox/rehearsal/run/limits.ts': ['chmodSync', 'readdirSync'],
    },
};

const ROOT = import.meta.dirname;

const withoutComments = (source: string) =>
  source.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/(^|\s)\/\/.*$/gm, '');

it('makes nobody wait for a disk but where it is known that nobody does', () => {
  const sources = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('testing/'));
  const found = Object.fromEntries(
    sources.flatMap((path) => {
      const source = withoutComments(readFileSync(join(ROOT, path), 'utf8'));
      const calls = new Set(source.match(/\b[a-z]\w*Sync(?=\s*\()/g));
      return calls.size === 0 ? [] : [[path, [...calls].sort()]];
    }),
  );
  const allowed = Object.fromEntries(
    Object.values(ALLOWED).flatMap((files) => Object.entries(files).map(([file, calls]) => [file, calls])),
  );
  expect(found).toEqual(allowed);
});
