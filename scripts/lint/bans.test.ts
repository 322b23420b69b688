import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { packageBin, root } from '../process.mjs';

/** A folder with our rules and nothing of ours to lint. */
const folder = mkdtempSync(join(tmpdir(), 'deepdesk-lint-'));
cpSync(join(root, 'scripts/lint'), join(folder, 'scripts/lint'), { recursive: true });
const { vcs: _, ...config } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
writeFileSync(join(folder, 'biome.json'), JSON.stringify(config));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the linter says of a file with that text. */
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

// security.md section 4, point 17: what must not be written is refused, not only absent.
describe('the linter', () => {
  it.each([
    [
      'a command line that goes through a shell unnoticed',
      'src-main/terminal/zz.ts',
      "import { spawn } from 'node:child_process';\nspawn('ls', [], { shell: true });\n",
      'Do not pass shell: true',
    ],
    [
      'markup that is set as text',
      'src-renderer/ui/zz.tsx',
      "export const Zz = () => <p dangerouslySetInnerHTML={{ __html: 'x' }} />;\n",
      'noDangerouslySetInnerHtml',
    ],
    ['any', 'src-main/host/zz.ts', 'export const zz = (x: any) => x;\n', 'noExplicitAny'],
    ['eval', 'src-main/host/zz.ts', "eval('1');\n", 'noGlobalEval'],
  ])('refuses %s', (_name, file, text, told) => {
    expect(lint(file, text)).toContain(told);
  });

  it('has nothing against what is none of that', () => {
    expect(lint('src-main/host/yy.ts', 'export const yy = 1;\n')).toMatch(/^0 /);
  });
});
