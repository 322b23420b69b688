import { expect, it } from 'vitest';
import { shownArgs, shownUrl, withoutValues } from './masks';
import { toolName } from './tools/tool-names';

/** A variable in configuration syntax. */
const variable = (name: string) => `\${${name}}`;

it('masks arguments that look like secrets, and nothing else', () => {
  const args = [
    ['-y', '@scope/server', '--root', '/home/me'],
    ['--token', 'abc123', '--verbose'],
    ['--api-key=abc123', '--level=3'],
    ['--header', 'Authorization: Bearer abc123'],
    ['--header', `Authorization: Bearer ${variable('TOKEN')}`, '--token', variable('TOKEN')],
    ['run', 'sk-abcdefgh12345678'],
    ['https://me:pass@example.com/mcp?key=abc&mode=fast'],
  ];
  expect(args.map(shownArgs)).toEqual([
    ['-y', '@scope/server', '--root', '/home/me'],
    ['--token', '•••', '--verbose'],
    ['--api-key=•••', '--level=3'],
    ['--header', 'Authorization: •••'],
    ['--header', `Authorization: Bearer ${variable('TOKEN')}`, '--token', variable('TOKEN')],
    ['run', '•••'],
    ['https://•••@example.com/mcp?key=•••&mode=•••'],
  ]);
});

it('masks the user, query and random parts of addresses', () => {
  expect(shownUrl('https://example.com/mcp')).toBe('https://example.com/mcp');
  expect(shownUrl(`https://example.com/mcp?key=${variable('KEY')}`)).toBe(
    `https://example.com/mcp?key=${variable('KEY')}`,
  );
  expect(shownUrl('https://hooks.example.com/s/ZmFzdGVyMTIzNDU2Nzg5MA/mcp')).toBe(
    'https://hooks.example.com/s/•••/mcp',
  );
});

it("removes known values and tokens of known formats from a server's messages", () => {
  expect(withoutValues('opened with hunter22 and ghp_abcdefgh1234, in mode on', ['hunter22', 'on'])).toBe(
    'opened with ••• and •••, in mode on',
  );
});

it('gives each tool a name that every provider accepts, and different tools different names', () => {
  expect(toolName('files', 'read')).toBe('files__read');
  const odd = [
    toolName('my files', 'read'),
    toolName('my_files', 'read'),
    toolName('my/files', 'read'),
    toolName('文件', '读取'),
    toolName('a', 'x'.repeat(80)),
    toolName('a', `${'x'.repeat(80)}y`),
    // In a moment: a server may name its tools as it likes.
    toolName('a', `x${'_'.repeat(200_000)}y`),
  ];
  expect(new Set(odd).size).toBe(odd.length);
  for (const name of odd) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
});
