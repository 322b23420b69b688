import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { isIdle, setUp, temp } from '../testing/window';

// Nothing here waits long on its own, but test machines can.
vi.setConfig({ testTimeout: 120_000 });

/** Files that the app reads automatically. */
const NAMES = [
  '.mcp.json',
  '.deepdesk/mcp.json',
  '.deepdesk/agents/one.md',
  '.deepdesk/skills/one/SKILL.md',
  '.git/index',
  '.git/HEAD',
  '.git/config',
  '.git/commondir',
  '.git/info/exclude',
  '.gitignore',
  '.ignore',
  'AGENTS.md',
  'package.json',
  'notes.txt',
];

let secret = '';
const hostile: [string, (path: string) => void][] = [
  ['pipes', (path) => void execFileSync('mkfifo', [path])],
  ['links to an endless device', (path) => symlinkSync('/dev/zero', path)],
  ['links to what the kernel makes up', (path) => symlinkSync('/proc/self/environ', path)],
  ['links out of it', (path) => symlinkSync(secret, path)],
  ['links to themselves', (path) => symlinkSync(path, path)],
  ['folders', (path) => mkdirSync(path)],
];

it.each(hostile)('works in a folder whose files are %s [safety 22]', async (_name, make) => {
  secret = join(temp('outside'), 'secret.txt');
  writeFileSync(secret, '{"mcpServers":{"CANARY":{"command":"CANARY"}}}');
  const { folder, window, say, projectId, host, reports } = await setUp();
  for (const name of NAMES) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    if (!existsSync(join(folder, name))) make(join(folder, name));
  }
  for (const text of ['list files', 'look at @notes.txt and @package.json']) {
    await say(text);
    await window.until((state) => isIdle(state) && state.messages.at(-1)?.role !== 'user');
  }
  const asked = [
    window.client.call('files.list', { projectId, threadId: null, path: folder }),
    window.client.call('files.marks', { projectId }),
    window.client.call('files.find', { projectId, query: 'a', limit: 5 }),
    window.client.call('files.ignored', { projectId, directories: [folder] }),
    window.client.call('mcp.list', { projectId }),
    ...NAMES.map((name) =>
      window.client.call('files.text', { projectId, threadId: null, path: join(folder, name) }),
    ),
  ];
  expect(JSON.stringify(await Promise.all(asked))).not.toContain('CANARY');
  // The file system threads are free and the app can quit.
  expect(await readFile(secret, 'utf8')).toContain('CANARY');
  await host.close();
  expect(JSON.stringify(window.state)).not.toContain('CANARY');
  expect(reports).toEqual([]);
});

it('starts turns beside a server file with endless nesting [safety 23]', async () => {
  const { folder, window, say, projectId, reports } = await setUp();
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  writeFileSync(join(folder, '.mcp.json'), `{"mcpServers":{"a":${deep}}}`);
  mkdirSync(join(folder, '.deepdesk/agents'), { recursive: true });
  writeFileSync(join(folder, '.deepdesk/agents/one.md'), `---\na: ${'['.repeat(10_000)}\n---\ntext`);
  await say('list files');
  await window.until((state) => isIdle(state) && state.messages.at(-1)?.role === 'agent');
  const listed = await window.client.call('mcp.list', { projectId });
  expect(JSON.stringify(listed)).toContain('json_too_deep');
  expect(reports).toEqual([]);
});
