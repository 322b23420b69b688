import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { english } from '../../../src-renderer/i18n/english';
import { createGate } from '../../approvals/gate';
import { CompositeBackend, StateBackend } from '../../harness/backends';
import { FilesystemBackend } from '../../harness/backends/filesystem';
import { protectedGate, protectionOf } from './protected-paths';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deepdesk-[protected]-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'sub/.git/hooks'), { recursive: true });
  for (const name of ['.env', 'sub/Key.PEM', '.env.example', 'plain.txt', 'sub/.git/config'])
    writeFileSync(join(folder, name), `TOKEN in ${name}`);
  symlinkSync('.env', join(folder, 'notes.txt'));
  symlinkSync('sub/.git', join(folder, 'settings'));
});

/** The thread's tree as in the app, with the folder at its real path. */
function setUp() {
  const project = { mount: folder, folder };
  const backend = new CompositeBackend(
    new StateBackend({ files: { read: () => ({}), send: () => undefined } }),
    { [`${folder}/`]: new FilesystemBackend({ rootDir: folder }) },
    { omits: (path) => protectionOf(project, PROTECTION)('read', path) !== null },
  );
  const places = { folder, memories: '/memories' };
  const gate = protectedGate(
    createGate({ places, backend, timeoutSeconds: 120 }),
    project,
    backend,
    PROTECTION,
  );
  const judge = async (tool: string, args: Record<string, unknown>) => {
    const said = await gate.judge({ callId: 'c', tool, args }, new AbortController().signal);
    return said.verdict === 'ask'
      ? `ask: ${english.sentences(said.question.reason)} (${said.question.risk})`
      : said.verdict;
  };
  return { backend, judge };
}

const HOME = '/home/somebody';
const PROTECTION = { home: HOME, mounts: () => [] };
const KEYS =
  'ask: This file may contain passwords or keys. Its text is sent to the model, except what looks like a secret.';
const RUN = 'ask: Other programs run this file, or follow its settings, without asking you. (high)';

describe('protected places of the folder', () => {
  it.each(['bare/HEAD', 'bare/config', 'bare/hooks/pre-push', 'half/refs/heads/x', 'nearly/HEAD'])(
    'require approval before %s is written if git then takes the folder for a repository',
    async (name) => {
      for (const path of ['bare/objects', 'bare/refs', 'half/objects', 'nearly/refs'])
        mkdirSync(join(folder, path), { recursive: true });
      for (const path of ['bare', 'half']) writeFileSync(join(folder, path, 'HEAD'), 'ref: refs/heads/x');
      const args = { file_path: `${folder}/${name}`, content: 'x' };
      const said = await setUp().judge('write_file', args);
      expect(said === RUN).toBe(!name.startsWith('nearly'));
    },
  );

  it.each(['.env', './/.env', '.ENV', '.env.local', 'sub/Key.PEM', 'sub/deep/server.key', 'notes.txt'])(
    'require approval before %s is read, even through a link [P81]',
    async (name) => {
      const { judge } = setUp();
      const path = `${folder}/${name}`;
      expect(await judge('read_file', { file_path: path })).toBe(`${KEYS} (high)`);
      expect(await judge('grep', { pattern: 'TOKEN', path })).toBe(`${KEYS} (high)`);
    },
  );

  it.each(['plain.txt', '.env.example', 'environment', 'pem'])('allow reading %s', async (name) => {
    expect(await setUp().judge('read_file', { file_path: `${folder}/${name}` })).toBe('allow');
  });

  it.each([
    ['.git/config', 'P76'],
    ['sub/.git/config', 'P76'],
    ['sub/.git/hooks/pre-commit', 'P77'],
    ['.vscode/tasks.json', 'P79'],
    ['.mcp.json', 'P79'],
    ['.deepdesk/mcp.json', 'P79'],
    ['.envrc', 'P80'],
    ['settings/config', 'P76'],
    ['settings/hooks/x', 'P77'],
  ])('require approval, with the risk, before %s is written [%s]', async (name) => {
    // An impossible action does not need approval.
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), 'a');
    const { judge } = setUp();
    for (const [tool, args] of [
      ['write_file', { content: 'x' }],
      ['edit_file', { old_string: 'a', new_string: 'b' }],
    ] as const)
      expect(await judge(tool, { ...args, file_path: `${folder}/${name}` })).toBe(RUN);
  });

  it('are listed, but searched only by name, with a note on what was skipped', async () => {
    const { backend, judge } = setUp();
    expect(await judge('ls', { path: folder })).toBe('allow');
    expect(await judge('grep', { pattern: 'TOKEN', path: folder })).toBe('allow');
    expect(await judge('glob', { pattern: '**/*.pem' })).toBe('allow');
    const found = await backend.grep('TOKEN', folder);
    expect(found).toEqual({
      matches: [{ path: `${folder}/plain.txt`, line: 1, text: 'TOKEN in plain.txt' }],
      truncated: false,
      omitted: 1,
    });
    // Skipped matches do not count toward the limit.
    expect(await backend.grep('TOKEN', folder, null, 1)).toMatchObject({ matches: found.matches });
    expect((await backend.grep('TOKEN', `${folder}/sub/Key.PEM`)).matches).toHaveLength(1);
  });
});
