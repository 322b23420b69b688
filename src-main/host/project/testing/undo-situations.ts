import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { openEngine } from '../../../changes';
import type { RevertConflict } from '../../../contract/changes';
import type { ThreadState } from '../../../contract/conversation';
import { CallId, ProjectId, ThreadId } from '../../../contract/ids';
import { openStorage } from '../../../storage';
import { cleanups, temp } from '../../testing/window';
import { Hub } from '../../window/hub';
import { ChangeLog, type ComingCall } from '../changes/change-log';
import { Reverts } from '../changes/reverts';

/** What the agent's command does in a folder, and what the person does. */
export interface Situation {
  title: string;
  /** Shell scripts, run in the folder. */
  before: string;
  agent: string;
  /** Paths that the command names. */
  named?: string[];
  /** Another program, after the command. */
  later?: string;
  /** `exact`: the folder is as before. `announced`: the list and the answer name what is not. `asks`: others changed it. */
  undo: 'exact' | 'announced' | 'asks';
  /** Undo of the undo may ask first, because the files below appear to be new. */
  mayAskAgain?: true;
}

/** More files than are kept of a folder that git does not track. */
const KEPT = 20;
const MANY = `for i in $(seq ${KEPT + 10}); do echo $i > .git/objects/$i; done`;

export const SITUATIONS: readonly Situation[] = [
  { title: 'a created file', before: 'true', agent: 'echo a > a', undo: 'exact' },
  { title: 'a changed file', before: 'echo a > a', agent: 'echo b > a', undo: 'exact' },
  { title: 'an appended file', before: 'echo a > a', agent: 'echo b >> a', undo: 'exact' },
  { title: 'an emptied file', before: 'echo a > a', agent: ': > a', undo: 'exact' },
  { title: 'a deleted file', before: 'echo a > a', agent: 'rm a', undo: 'exact' },
  { title: 'an empty file that was deleted', before: ': > a', agent: 'rm a', undo: 'exact' },
  { title: 'a renamed file', before: 'echo a > a', agent: 'mv a b', undo: 'exact' },
  { title: 'a file that only changed case', before: 'echo a > a', agent: 'mv a A', undo: 'exact' },
  {
    title: 'a file moved into a new folder',
    before: 'echo a > a',
    agent: 'mkdir d && mv a d',
    undo: 'exact',
  },
  {
    title: 'two files that swapped names',
    before: 'echo a > a; echo b > b',
    agent: 'mv a c; mv b a; mv c b',
    undo: 'exact',
  },
  { title: 'a file replaced by rename', before: 'echo a > a', agent: 'echo b > t; mv t a', undo: 'exact' },
  { title: 'a file edited in place by sed', before: 'echo a > a', agent: 'sed -i s/a/b/ a', undo: 'exact' },
  { title: 'a file made executable', before: 'echo a > a', agent: 'chmod 755 a', undo: 'exact' },
  { title: 'a file made private', before: 'echo a > a; chmod 644 a', agent: 'chmod 600 a', undo: 'exact' },
  {
    title: 'mode and content together',
    before: 'echo a > a',
    agent: 'echo b > a; chmod 700 a',
    undo: 'exact',
  },
  {
    title: 'a read-only file that was replaced',
    before: 'echo a > a; chmod 444 a',
    agent: 'rm -f a; echo b > a',
    undo: 'exact',
  },
  {
    title: 'a folder with another mode',
    before: 'mkdir d; chmod 755 d',
    agent: 'chmod 700 d',
    undo: 'exact',
  },
  { title: 'a created empty folder', before: 'true', agent: 'mkdir d', undo: 'exact' },
  { title: 'a deleted empty folder', before: 'mkdir d', agent: 'rmdir d', undo: 'exact' },
  {
    title: 'a deleted folder with files',
    before: 'mkdir -p d/e; echo a > d/a; echo b > d/e/b',
    agent: 'rm -r d',
    undo: 'exact',
  },
  { title: 'a renamed folder', before: 'mkdir -p d/e; echo a > d/e/a', agent: 'mv d x', undo: 'exact' },
  { title: 'a folder moved into another', before: 'mkdir d e; echo a > d/a', agent: 'mv d e', undo: 'exact' },
  {
    title: 'a file that became a folder',
    before: 'echo a > a',
    agent: 'rm a; mkdir a; echo b > a/b',
    undo: 'exact',
  },
  {
    title: 'a folder that became a file',
    before: 'mkdir d; echo a > d/a',
    agent: 'rm -r d; echo b > d',
    undo: 'exact',
    mayAskAgain: true,
  },
  { title: 'a created link', before: 'echo a > a', agent: 'ln -s a l', undo: 'exact' },
  { title: 'a deleted link', before: 'ln -s nowhere l', agent: 'rm l', undo: 'exact' },
  { title: 'a link with another target', before: 'ln -s a l', agent: 'ln -sfn b l', undo: 'exact' },
  {
    title: 'a link that became a file',
    before: 'echo a > a; ln -s a l',
    agent: 'rm l; echo b > l',
    undo: 'exact',
  },
  {
    title: 'a file that became a link',
    before: 'echo a > a; echo b > b',
    agent: 'rm a; ln -s b a',
    undo: 'exact',
  },
  {
    title: 'a folder that became a link',
    before: 'mkdir d; echo a > d/a',
    agent: 'mv d e; ln -s e d',
    undo: 'exact',
    mayAskAgain: true,
  },
  {
    title: 'a link that became a folder',
    before: 'mkdir d; echo a > d/a; ln -s d l',
    agent: 'rm l; mkdir l; echo b > l/b',
    undo: 'exact',
  },
  {
    title: 'a file changed through a link',
    before: 'echo a > a; ln -s a l',
    agent: 'echo b > l',
    undo: 'exact',
  },
  { title: 'a file with two names [30]', before: 'echo a > a; ln a b', agent: 'echo c > a', undo: 'exact' },
  { title: 'one of two names deleted [30]', before: 'echo a > a; ln a b', agent: 'rm a', undo: 'exact' },
  { title: 'a binary file', before: "printf '\\0\\1\\377' > a", agent: "printf '\\0\\2' > a", undo: 'exact' },
  { title: 'a file of 4 MB', before: 'head -c 4000000 /dev/zero > a', agent: 'rm a', undo: 'exact' },
  {
    title: 'a sparse file of 5 MB',
    before: 'truncate -s 5MB a; echo x >> b',
    agent: 'echo y > a',
    undo: 'exact',
  },
  { title: 'a file over 5 MB [30]', before: 'truncate -s 6M a', agent: 'rm a', undo: 'announced' },
  { title: 'a moved file over 5 MB', before: 'truncate -s 6M a', agent: 'mv a b', undo: 'exact' },
  { title: 'the mode of a file over 5 MB', before: 'truncate -s 6M a', agent: 'chmod 755 a', undo: 'exact' },
  {
    title: 'a moved folder with files over 5 MB',
    before: 'mkdir -p d/d; truncate -s 6M d/a; truncate -s 7M d/d/a; echo b > d/b',
    agent: 'mv d e; chmod 600 e/a',
    undo: 'exact',
  },
  { title: 'a new file over 5 MB', before: 'true', agent: 'truncate -s 6M a', undo: 'exact' },
  {
    title: 'names with spaces, quotes and line breaks',
    before: "echo a > 'a b'; echo b > \"q'\"; echo c > 'n\nl'",
    agent: "rm 'a b' \"q'\" 'n\nl'",
    undo: 'exact',
  },
  {
    title: 'names in other scripts',
    before: 'echo a > größe; echo b > 文件',
    agent: 'rm größe 文件',
    undo: 'exact',
  },
  { title: 'hidden files', before: 'echo a > .env.example', agent: 'rm .env.example', undo: 'exact' },
  {
    title: 'an ignored file that is named [30]',
    before: 'echo out > .gitignore; echo a > out',
    agent: 'echo b > out',
    named: ['out'],
    undo: 'exact',
  },
  {
    title: 'an ignored folder that is named [30]',
    before: 'echo dist > .gitignore; mkdir -p dist/d; echo a > dist/d/a',
    agent: 'rm -rf dist',
    named: ['dist'],
    undo: 'exact',
  },
  { title: 'an ignore file', before: 'echo out > .gitignore', agent: 'echo x > .gitignore', undo: 'exact' },
  {
    title: 'a small .git [30]',
    before: 'mkdir -p .git/refs; echo h > .git/HEAD; echo r > .git/refs/main',
    agent: 'rm -rf .git',
    named: ['.git'],
    undo: 'exact',
  },
  {
    title: 'a .git with more entries than are kept [30]',
    before: `mkdir -p .git/objects; ${MANY}`,
    agent: 'rm -rf .git',
    named: ['.git'],
    undo: 'announced',
  },
  {
    title: 'a folder with a repository in it [30]',
    before: 'mkdir -p sub/.git; echo h > sub/.git/HEAD; echo a > sub/a',
    agent: 'rm -rf sub',
    named: ['sub'],
    undo: 'exact',
  },
  {
    title: 'a renamed folder with a repository in it [30]',
    before: 'mkdir -p s/.git; echo h > s/.git/HEAD',
    agent: 'mv s t',
    named: ['s', 't'],
    undo: 'exact',
  },
  {
    title: 'a file that the person changed later [29]',
    before: 'echo a > a',
    agent: 'echo b > a',
    later: 'echo c > a',
    undo: 'asks',
  },
  {
    title: 'a file that the person deleted later [29]',
    before: 'echo a > a',
    agent: 'echo b > a',
    later: 'rm a',
    undo: 'asks',
  },
  {
    title: 'a deleted file that the person created again [29]',
    before: 'echo a > a',
    agent: 'rm a',
    later: 'echo c > a',
    undo: 'asks',
  },
  {
    title: 'other files of the person [29]',
    before: 'echo a > a; echo p > p',
    agent: 'echo b > a',
    later: 'true',
    undo: 'exact',
  },
];

/** Every path with its mode and content. */
function treeOf(root: string, path = ''): Map<string, string> {
  const tree = new Map<string, string>();
  for (const name of readdirSync(join(root, path)).sort()) {
    const inner = path === '' ? name : `${path}/${name}`;
    const at = join(root, inner);
    const stats = lstatSync(at);
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isDirectory()) {
      tree.set(inner, `folder ${mode}`);
      for (const [below, what] of treeOf(root, inner)) tree.set(below, what);
    } else if (stats.isSymbolicLink()) tree.set(inner, `link ${readlinkSync(at)}`);
    else tree.set(inner, `file ${mode} ${createHash('sha256').update(readFileSync(at)).digest('hex')}`);
  }
  return tree;
}

export const pathsThatDiffer = (one: Map<string, string>, other: Map<string, string>) =>
  [...new Set([...one.keys(), ...other.keys()])].filter((path) => one.get(path) !== other.get(path)).sort();

export async function started(before: string, folder = temp('undo')) {
  const dataDir = temp('undo-data');
  const opened = openStorage(join(dataDir, 'deepdesk.db'));
  if (!opened.ok) throw new Error('no storage');
  const storage = opened.value;
  const engine = openEngine(
    { store: join(dataDir, 'changes'), budget: 1e9, persist: true, namedFiles: KEPT },
    null,
  );
  const reports: string[] = [];
  const log = new ChangeLog({
    storage,
    engine,
    hub: new Hub(),
    sweeps: false,
    projects: { isThere: async () => true },
    report: (where, error) => void reports.push(`${where}: ${String(error)}`),
  });
  cleanups.push(async () => {
    await log.close();
    storage.close();
  });
  const run = (script: string) => void execFileSync('sh', ['-c', `umask 022; ${script}`], { cwd: folder });
  run(before);
  const project = {
    id: ProjectId.parse(randomUUID()),
    name: 'p',
    folder,
    mount: folder,
    isSample: false,
    openedAt: 1,
    missing: false,
  };
  storage.projects.save(project);
  const threadId = ThreadId.parse(randomUUID());
  const thread = { id: threadId, projectId: project.id, title: '', model: 'm:m', createdAt: 1, updatedAt: 1 };
  storage.threads.insert(thread);
  const state = { thread, turn: { phase: 'idle' }, messages: [] } as unknown as ThreadState;
  const reverts = new Reverts(storage, engine, log);
  /** A call that runs `work`. */
  const call = (script: string, coming: Omit<ComingCall, 'author'>, work: () => Promise<unknown>) => {
    const callId = CallId.parse(randomUUID());
    const author = { by: 'agent', threadId, callId, agent: null, tool: 'execute', command: script } as const;
    return log.around(project, { author, ...coming }, work);
  };
  const command = (script: string, named: string[]) =>
    call(script, { named, isCommand: true }, async () => run(script));
  const undo = async (force = false, revertId?: string) => {
    const scope =
      revertId === undefined ? { kind: 'thread' as const } : { kind: 'revert' as const, revertId };
    const outcome = await reverts.revert(project, state, scope, force);
    if (!outcome.ok) throw new Error(outcome.error.code);
    return outcome.value;
  };
  const list = async () => {
    const listed = await reverts.list(project, state);
    if (!listed.ok) throw new Error(listed.error.code);
    return listed.value;
  };
  /** Forgets the contents of all changes so far, as on reaching the limit of the disk. */
  const drop = () => storage.fileChanges.dropThrough(Number.MAX_SAFE_INTEGER);
  return { folder, reports, run, call, command, undo, list, drop, tree: () => treeOf(folder) };
}

export const namesOf = (conflicts: readonly RevertConflict[]) => new Set(conflicts.map(({ path }) => path));
