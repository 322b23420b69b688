import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { packageBin, root } from '../process.mjs';

/** A folder with our rules and none of our files. */
const folder = mkdtempSync(join(tmpdir(), 'deepdesk-lint-'));
cpSync(join(root, 'scripts/lint'), join(folder, 'scripts/lint'), { recursive: true });
const { vcs: _, ...config } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
writeFileSync(join(folder, 'biome.json'), JSON.stringify(config));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The linter's output for a file with that text. */
function lint(file: string, text: string): string {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
  const bin = packageBin('@biomejs/biome', 'biome');
  const ran = spawnSync(process.execPath, [bin, 'lint', '--error-on-warnings', file], {
    cwd: folder,
    encoding: 'utf8',
  });
  return `${ran.status} ${ran.stdout}${ran.stderr}`;
}

// security.md section 4, point 17: the linter rejects forbidden code, so it is not just absent by chance.
describe('the linter', () => {
  it.each([
    [
      'a command line that goes through a shell unnoticed',
      'src-main/terminal/zz.ts',
      "import { spawn } from 'node:child_process';\nspawn('ls', [], { shell: true });\n",
      'Do not pass shell: true',
    ],
    ...["execFileSync('bash', ['-c', 'ls'])", "spawn('/bin/bash', ['-ec', x], { cwd })"].map(
      (call): [string, string, string, string] => [
        `bash with the person's startup files: ${call}`,
        'src-main/terminal/zz.test.ts',
        `${call};\n`,
        'Start bash with --norc',
      ],
    ),
    [
      'markup that is set as text',
      'src-renderer/ui/zz.tsx',
      "export const Zz = () => <p dangerouslySetInnerHTML={{ __html: 'x' }} />;\n",
      'noDangerouslySetInnerHtml',
    ],
    ...[
      "import { readFile } from 'node:fs/promises';\nawait readFile('x');\n",
      "import { lstat, open as begin } from 'node:fs/promises';\nawait begin((await lstat('x')).dev.toString());\n",
      "import {\n  lstatSync,\n  readFileSync,\n} from 'node:fs';\nreadFileSync('x', lstatSync('x').dev);\n",
      "import * as fs from 'node:fs';\nfs.lstatSync('x');\n",
      "import fs from 'node:fs';\nfs.lstatSync('x');\n",
      "await import('node:fs');\n",
    ].map((text): [string, string, string, string] => [
      `a file of a folder that is read in another way: ${text.split('\n')[0]} [safety 22]`,
      'src-main/host/zz.ts',
      text,
      'Read what is in a folder with base/open-regular',
    ]),
    [
      'JSON of a server that is parsed without a limit [safety 24]',
      'src-main/mcp/zz.ts',
      'export const zz = (text: string): unknown => JSON.parse(text);\n',
      'Read foreign JSON with parseJson',
    ],
    ['any', 'src-main/host/zz.ts', 'export const zz = (x: any) => x;\n', 'noExplicitAny'],
    [
      'a request that follows redirects anywhere [safety 25]',
      'src-main/models/zz.ts',
      "export const zz = () => fetch('https://example.com');\n",
      'Use guardedFetch',
    ],
    ...["it('P68 refuses'", "describe('W12 pipes'", "test('7: refuses', {}", "it.each([1])('H3 refuses'"].map(
      (call): [string, string, string, string] => [
        `a test's title that starts with an id: ${call}`,
        'src-main/host/zz.test.ts',
        `${call}, () => {});\n`,
        'Start a test',
      ],
    ),
    [
      'text that is copied without reporting a refusal',
      'src-renderer/features/zz.ts',
      "export const zz = () => void navigator.clipboard.writeText('x');\n",
      'Copy with useCopy',
    ],
    ['eval', 'src-main/host/zz.ts', "eval('1');\n", 'noGlobalEval'],
  ])('rejects %s', (_name, file, text, told) => {
    expect(lint(file, text)).toContain(told);
  });

  it('accepts similar code that is allowed', () => {
    const text =
      "import { lstat, type Stats } from 'node:fs/promises';\nexport const zz = (): Promise<Stats> => lstat('x');\n";
    expect(lint('src-main/host/xx.ts', text)).toMatch(/^0 /);
    expect(lint('src-main/host/yy.ts', 'export const yy = 1;\n')).toMatch(/^0 /);
    const bash = "spawn('bash', ['--norc', '-c', 'ls']);\n";
    expect(lint('src-main/terminal/xx.test.ts', bash)).toMatch(/^0 /);
    for (const title of ['refuses a pipe [P68]', '$provider answers', '3D models'])
      expect(lint('src-main/host/xx.test.ts', `it('${title}', () => {});\n`)).toMatch(/^0 /);
  });
});
