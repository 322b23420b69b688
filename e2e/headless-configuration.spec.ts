import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from './support/app';
import { agent, setUp } from './support/headless';

// Without a window there are no settings that show what is wrong with a file.

test('says which MCP servers it goes without, and why', async () => {
  const { dataDir, folder, base } = setUp();
  writeFileSync(join(folder, '.mcp.json'), '{"servers":{}}');
  const servers = {
    nowhere: { command: 'no-such-program' },
    wrong: { command: process.execPath, timeoutSeconds: '5' },
    broken: { command: process.execPath, args: ['-e', 'console.error("no token"); process.exit(3)'] },
  };
  writeFileSync(join(dataDir, 'mcp.json'), JSON.stringify({ mcpServers: servers }));
  const ran = await agent([...base, 'list files']);
  expect(ran.code).toBe(0);
  expect(ran.err).toContain(
    `The MCP servers in ${join(realpathSync(folder), '.mcp.json')} were left out. It has no "mcpServers" object`,
  );
  expect(ran.err).toContain(
    `The MCP server “wrong” in ${join(dataDir, 'mcp.json')} was left out. "timeoutSeconds" must be a number.`,
  );
  expect(ran.err).toContain(
    'The MCP server “nowhere” isn\'t running, so its tools are missing. The program "no-such-program" was not found',
  );
  expect(ran.err).toMatch(/The MCP server “broken” isn't running, .*Its last output: no token/);
});

test('names the files of sub-agents and skills that it cannot use as they are on the disk, with the reason', async () => {
  const { dataDir, folder, base } = setUp();
  const file = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const agentFile = (fields: string) => `---\ndescription: Reviews.\n${fields}---\nReview it.\n`;
  const own = file(join(dataDir, 'agents', 'far.md'), agentFile('model: anthropic:claude-sonnet-4-6\n'));
  const skill = file(join(dataDir, 'skills', 'notes', 'SKILL.md'), '---\nname: notes\n---\n');
  const rules = 'permissions:\n  - operations: [read]\n    paths: [secrets]\n';
  file(join(folder, '.deepdesk', 'agents', 'ruled.md'), agentFile(rules));
  file(join(folder, '.deepdesk', 'agents', '-dash.md'), agentFile(''));
  const ran = await agent([...base, 'list files'], { env: { ANTHROPIC_API_KEY: '' } });
  expect(ran.code).toBe(0);
  expect(ran.err).toContain(
    `The agent in ${own} was left out: its model needs a key. Add the key, or set ANTHROPIC_API_KEY before you start Deepdesk.`,
  );
  expect(ran.err).toContain(`${skill} was left out: its front matter needs a name and a description.`);
  expect(ran.err).toMatch(/ruled\.md was left out: .*paths that start with \//);
  expect(ran.err).toMatch(/-dash\.md was left out: its name must start with a letter or digit/);
});

test('says that there are no routines to list', async () => {
  const { dataDir } = setUp();
  const listed = await agent(['--data-dir', dataDir, '--list-routines']);
  expect(listed).toEqual({
    code: 0,
    out: '',
    err: 'There are no routines. Create one in the app: Settings, Routines.\n',
  });
  const asJson = await agent(['--data-dir', dataDir, '--list-routines', '--json']);
  expect(asJson).toEqual({ code: 0, out: '[]\n', err: '' });
});

test('exits 3 and says why if the folder disappears while the agent works', async () => {
  const { folder, dataDir, base } = setUp();
  const output = join(dirname(dataDir), 'events.jsonl');
  const stdout = openSync(output, 'w');
  const ran = agent([...base, '--approve', 'all', '--json', 'run sleep 600'], { stdout });
  // The command runs: it has a terminal.
  await expect.poll(() => readFileSync(output, 'utf8'), { timeout: 60_000 }).toContain('"terminalId"');
  rmSync(folder, { recursive: true });
  const { code, err } = await ran;
  closeSync(stdout);
  expect(err).toContain(`The folder ${folder}`);
  expect(code).toBe(3);
  expect(readFileSync(output, 'utf8')).toContain('"reason":"interrupted"');
});

test('exits 3 and names what is in the place of a folder for its data', async () => {
  const { base, dataDir } = setUp();
  writeFileSync(join(dataDir, 'attachments'), 'x');
  const ran = await agent([...base, 'list files']);
  expect([ran.code, ran.err]).toEqual([
    3,
    expect.stringContaining(`a folder at ${join(dataDir, 'attachments')}`),
  ]);
});

for (const signal of ['SIGTERM', 'SIGHUP'] as const)
  test(`exits 130 when ${signal} ends it while it starts`, async () => {
    const { base, dataDir } = setUp();
    const ran = await agent([...base, 'list files'], {
      when: () => existsSync(join(dataDir, 'deepdesk.db')),
      signal,
    });
    expect(ran.code).toBe(130);
  });
