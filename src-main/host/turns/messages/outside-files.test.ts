import { beforeEach, describe, expect, it } from 'vitest';
import type { GateCall } from '../../../approvals/call';
import type { ChangeAuthor, FileState } from '../../../contract/changes';
import { CallId, ProjectId, ThreadId } from '../../../contract/ids';
import type { OutsideSource } from '../../../contract/shared/outside-source';
import { openFileChanges } from '../../../storage/file-changes';
import { openOutsideCalls } from '../../../storage/outside-calls';
import { temporaryDatabase } from '../../../storage/testing/fixtures';
import { outsideFilesOf } from './outside-files';

const FOLDER = '/home/me/project';
const PAGE: OutsideSource = { kind: 'page', name: 'docs.example.org' };
const SERVER: OutsideSource = { kind: 'server', name: 'tickets' };
const p1 = ProjectId.parse('p1');
const t1 = ThreadId.parse('t1');
const ABSENT: FileState = { type: 'absent' };
const FILE: FileState = { type: 'file', hash: 'a', size: 1, mode: 0o644 };

let files: ReturnType<typeof outsideFilesOf>;
let inOtherThread: ReturnType<typeof outsideFilesOf>;
let unreadable: string[];
/** The record of changes: the call changed these files. */
let changed: (callId: string, ...paths: string[]) => void;
beforeEach(() => {
  const db = temporaryDatabase();
  unreadable = [];
  const note = (table: string, id: string) => void unreadable.push(`${table} ${id}`);
  const outsideCalls = openOutsideCalls(db, note);
  const fileChanges = openFileChanges(db, note);
  const of = (threadId: ThreadId) =>
    outsideFilesOf({ outsideCalls, fileChanges }, { projectId: p1, threadId, folder: FOLDER });
  files = of(t1);
  inOtherThread = of(ThreadId.parse('t2'));
  changed = (callId, ...paths) => {
    const author: ChangeAuthor = { by: 'agent', threadId: t1, callId: CallId.parse(callId) } as never;
    fileChanges.insert(
      p1,
      author,
      1,
      paths.map((path) => ({ path, before: ABSENT, after: FILE })),
    );
  };
});

const call = (tool: string, args: Record<string, unknown>, callId = 'c1'): GateCall => ({
  callId,
  tool,
  args,
});
const read = (path: string) => call('read_file', { file_path: path }, 'r');

describe('a file that was written with text from outside in the context', () => {
  it.each(['notes.md', `${FOLDER}/notes.md`, `${FOLDER}/docs/../notes.md`])(
    'brings it back when it is read as %s, in any thread of the project',
    (path) => {
      files.wrote(call('write_file', { file_path: `${FOLDER}/notes.md` }), [PAGE]);
      expect(files.readBy(read(path), 'text')).toEqual([PAGE]);
      expect(inOtherThread.readBy(read(path), 'text')).toEqual([PAGE]);
      expect(files.readBy(read(`${FOLDER}/other.md`), 'text')).toEqual([]);
    },
  );

  it.each([
    ['execute', { command: 'curl https://docs.example.org > pages/guide.txt' }],
    ['tickets__export', { to: 'pages/guide.txt' }],
  ])('may be written by a command or a tool of a server: %s', (tool, args) => {
    files.wrote(call(tool, args), [PAGE, SERVER]);
    expect(files.readBy(read(`${FOLDER}/pages/guide.txt`), 'text')).toEqual([]);
    changed('c1', 'pages/guide.txt', 'build.log');
    expect(files.readBy(read(`${FOLDER}/pages/guide.txt`), 'text')).toEqual([PAGE, SERVER]);
    expect(files.readBy(read(`${FOLDER}/build.log`), 'text')).toEqual([PAGE, SERVER]);
  });

  it('counts in a command that names it, and in a result that names it', () => {
    files.wrote(call('execute', { command: './sync' }), [PAGE]);
    changed('c1', 'docs/guide.txt');
    const run = (command: string, result = '') => files.readBy(call('execute', { command }, 'r'), result);
    expect(run('cd docs && head -3 "guide.txt"')).toEqual([PAGE]);
    expect(run('cat docs/guide.txt|wc')).toEqual([PAGE]);
    expect(run('grep -rn key .', './docs/guide.txt:4:key')).toEqual([PAGE]);
    expect(run('cat my-guide.txt')).toEqual([]);
    expect(run('ls', 'README.md')).toEqual([]);
    const search = call('grep', { pattern: 'key', path: FOLDER }, 'r');
    expect(files.readBy(search, `${FOLDER}/docs/guide.txt\n  4: key`)).toEqual([PAGE]);
    expect(files.readBy(search, `${FOLDER}/README.md\n  4: key`)).toEqual([]);
    expect(files.readBy(call('job_output', { job_id: '1' }, 'r'), 'docs/guide.txt: 3 lines')).toEqual([PAGE]);
  });

  it('is not one that was written without, elsewhere, or by a tool that writes nothing', () => {
    files.wrote(call('write_file', { file_path: `${FOLDER}/a.md` }), []);
    files.wrote(call('write_file', { file_path: '/scratch/b.md' }, 'c2'), [PAGE]);
    files.wrote(call('read_file', { file_path: `${FOLDER}/c.md` }, 'c3'), [PAGE]);
    changed('c3', 'c.md');
    for (const path of ['a.md', 'c.md']) expect(files.readBy(read(`${FOLDER}/${path}`), '')).toEqual([]);
    expect(files.readBy(read('/scratch/b.md'), '')).toEqual([]);
    expect(unreadable).toEqual([]);
  });
});
