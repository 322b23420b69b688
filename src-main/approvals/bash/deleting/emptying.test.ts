import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asksInSandbox } from '../../testing/judged';

let base = '';
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-emptying-')));
  for (const name of ['.git', '.vscode', 'src', 'home'])
    mkdirSync(join(base, 'project', name), { recursive: true });
  for (const name of ['src/a.ts', 'README.md', '.vscode/settings.json'])
    writeFileSync(join(base, 'project', name), 'x');
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const asks = (command: string) => asksInSandbox(command, base);

describe('asks before emptying files that are known only when the command runs', () => {
  it.each([
    'sed -i d src/*',
    "gsed -i '1,$d' src/*",
    "sed -ni '' *",
    "sed -n -i '/keep/!d' *",
    'sed --in-place=.bak Q *',
    "sed -i 's/.*//' src/*",
    'sed -i -e d src/*',
    'find . -type f -exec sed -i d {} +',
    'ls | xargs sed -i d',
    'perl -i -ne 0 src/*',
    'perl -ni -e 1 *',
    `perl -pi -e '$_=""' *`,
    "perl -pi -e 'undef $_' *",
    "perl -i -pe 's/.*//s' *",
    'ruby -i -ne 0 *',
    'awk -i inplace 0 *',
    "gawk -i inplace '{ n++ }' *",
    'cp /dev/null *',
    'find . -exec cp /dev/null {} \\;',
    'ls | xargs -I{} cp /dev/null {}',
    'install /dev/null src/*',
    'ln -sf /dev/null src/*',
    'find . -type f -exec dd if=/dev/null of={} \\;',
    'tee src/* < /dev/null',
    'find . -type f -exec tee {} \\;',
    'for f in src/*; do : > "$f"; done',
    'for f in src/*; do > $f; done',
    'for f in src/*; do true >| "$f"; done',
    'for f in src/*; do cat /dev/null > "$f"; done',
    'for f in src/*; do echo -n > "$f"; done',
    `for f in src/*; do printf '' > "$f"; done`,
    'for f in src/*; do cp /dev/null "$f"; done',
    `for f in src/*; do ed -s "$f" <<< $',d\\nw'; done`,
    `find . -type f -exec sh -c ': > "$1"' _ {} \\;`,
    'fallocate -p -o 0 -l 1M src/*',
    'cp /dev/null .vscode/settings.json',
  ])('%s', async (command) => expect(await asks(command)).toBe(true));
});

describe('asks before a program deletes what it finds itself', () => {
  it.each([
    "mmv -d 'src/*' x",
    "mcp -o '*' x",
    'unison -force a b',
    'unison a b -batch',
    'detox -r .',
    'convmv -r --notest -f latin1 -t utf8 .',
    "lftp -c 'mirror --delete a b'",
  ])('%s', async (command) => expect(await asks(command)).toBe(true));
});

describe('does not ask before emptying one named file, or before edits', () => {
  it.each([
    'sed -i d src/a.ts',
    'cp /dev/null src/a.ts',
    ': > src/a.ts',
    '> src/a.ts',
    'dd if=/dev/zero of=test.img bs=1M count=1',
    'cat /dev/null > src/a.ts',
    'perl -i -ne 0 src/a.ts',
    "sed -i 's/a/b/' src/*",
    "sed -i '1d' src/*.ts",
    "sed -i '/console.log/d' src/*.ts",
    "sed -n -i '10,20p' src/*.ts",
    "sed -n '/x/p' src/*",
    "perl -pi -e 's/a/b/' src/*",
    "perl -ni -e 'print if /a/' src/*",
    "awk -i inplace '{ print }' src/*",
    "awk '{ n++ } END { print n }' src/*",
    "find . -name '*.ts' -exec sed -i 's/a/b/g' {} +",
    'for f in src/*; do wc -l "$f"; done > "$OUT"',
    'for f in src/*; do sort "$f" > "$f.sorted"; done',
    'date | tee "log-$(date +%s).txt"',
    'ln -s /dev/null x',
    'echo > /dev/null',
  ])('%s', async (command) => expect(await asks(command)).toBe(false));
});
