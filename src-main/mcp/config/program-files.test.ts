import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temp } from '../testing/place';
import type { ServerConfig } from './config';
import { filesInProjects } from './program-files';

it.each<[string, (folder: string, home: string) => Partial<ServerConfig>]>([
  ['its path', (folder) => ({ command: 'node', args: [join(folder, 'server.js')] })],
  ['the working directory', (folder) => ({ command: 'node', args: ['server.js'], cwd: folder })],
  [
    'a path below the home folder',
    (folder, home) => ({ command: 'node', args: [`${folder.slice(home.length + 1)}/server.js`] }),
  ],
  ['a link', (_, home) => ({ command: 'node', args: [join(home, 'linked.js')] })],
  ['a link in PATH', () => ({ command: 'linked-server', args: [] })],
  ['an option', (folder) => ({ command: 'node', args: [`--import=${folder}/server.js`] })],
])("finds the project's file that a server of the person names by %s", async (_, words) => {
  const home = temp('home');
  const folder = join(home, 'project');
  mkdirSync(folder);
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(folder, 'server.js'), '#!/usr/bin/env node\n');
  chmodSync(join(folder, 'server.js'), 0o755);
  symlinkSync(join(folder, 'server.js'), join(home, 'linked.js'));
  symlinkSync(join(folder, 'server.js'), join(home, 'bin/linked-server'));
  const { command, args, cwd } = { cwd: '', ...words(folder, home) };
  const given: string[][] = [];
  const found = await filesInProjects(
    { transport: 'stdio', command, args, cwd, secrets: {} } as unknown as ServerConfig,
    {
      env: { PATH: `/nowhere:${join(home, 'bin')}` },
      home,
      projectFolders: () => [join(home, 'other'), folder],
      filesOfProgram: async (program) => {
        given.push([program.command, ...program.args]);
        return ['server.js', 'notes.db', 'memory.json'].map((path) => ({ path, version: '1' }));
      },
    },
  );
  expect(found).toEqual([{ path: join(folder, 'server.js'), version: '1' }]);
  expect(given.flat().join(' ')).toContain('server.js');
});
