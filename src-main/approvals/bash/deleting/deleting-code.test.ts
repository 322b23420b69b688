import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgeCommand } from '../../command';
import { whyAskedAllTheSame } from '../../confined';
import { CHANGING_COMMANDS } from '../../testing/changing-commands';
import { programFinder } from '../paths/programs';

let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-code-')));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/a.ts'), 'x');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Why the line needs approval in the mode that allows changes in the folder; undefined if it does not. */
async function askedFor(command: string) {
  const home = join(folder, 'home');
  const places = { folder, cwd: folder, home, dataDir: '/data', ...programFinder('/usr/bin:/bin', folder) };
  const judged = await judgeCommand({ command }, places, []);
  return whyAskedAllTheSame(judged, places)?.[0]?.code;
}

describe('asks before code in the line may delete files or start programs', () => {
  it.each([
    `python -c "import shutil; shutil.rmtree('src')"`,
    `python3 -Bc "import os; os.remove('a')"`,
    `python3 -c "from os import remove as r; r('a')"`,
    `python3 -c "from pathlib import Path; Path('a').unlink()"`,
    `python3 -c "import os; getattr(os, 'rem' + 'ove')('a')"`,
    `python3 -c "import subprocess as s; s.run(['rm', '-rf', '.'])"`,
    `python3 -c "$CODE"`,
    "python3 - <<'E'\nimport shutil\nshutil.rmtree('.')\nE",
    'python3 <<< \'import os; os.removedirs("x")\'',
    `echo "import shutil; shutil.rmtree('.')" | python3`,
    'cat x | python3',
    'cat x | node -',
    `timeout 5 python3 -c "import shutil; shutil.rmtree('.')"`,
    `uv run python -c "import shutil; shutil.rmtree('.')"`,
    `npx tsx -e "require('fs').rmSync('src', { recursive: true })"`,
    `node -e "fs.rmSync('src',{recursive:true})"`,
    `node -e "const { rm } = require('fs'); rm('a', () => {})"`,
    `node -e "require('fs').promises.rename('src', '/tmp/x')"`,
    `node -e "fs['rm' + 'Sync']('src')"`,
    `node -e "require('child_process').execSync(x)"`,
    `node --eval "eval(x)"`,
    `deno eval "Deno.remove('src', { recursive: true })"`,
    `bun -e "await Bun.file('a').delete()"`,
    `perl -e 'unlink glob "*"'`,
    `perl -MFile::Path -e 'rmtree(".")'`,
    `perl -e 'unlink for <*>'`,
    `perl -e '\`rm -rf .\`'`,
    `ruby -e 'FileUtils.rm_rf "src"'`,
    `ruby -rfileutils -e 'File.delete *Dir["*"]'`,
    `php -r 'unlink("a");'`,
    `php -r 'array_map("unlink", glob("*"));'`,
    `lua -e 'os.remove("a")'`,
    `Rscript -e 'unlink("src", recursive = TRUE)'`,
    `julia -e 'rm("src", recursive=true)'`,
    `pwsh -c 'Remove-Item -Recurse src'`,
    `elixir -e 'File.rm_rf!("src")'`,
    `tclsh <<< 'file delete -force src'`,
    `awk 'BEGIN { system("rm -rf .") }'`,
    "sed '1e rm -rf .git' x",
    "GIT_EDITOR='rm -rf .git' git commit",
    "vim -c ':!rm -rf .'",
  ])('%s', async (line) => expect(await askedFor(line)).toBeDefined());
});

describe('does not ask about other code, about scripts, or about ordinary changes', () => {
  it.each([
    'python3 -c "print(1)"',
    `python3 -c "import json; d = json.load(open('a')); d.pop('x'); json.dump(d, open('a', 'w'))"`,
    "python3 - <<'E'\nimport re\np = 'a.ts'\ns = open(p).read()\ns = s.replace('a', 'b')\nopen(p, 'w').write(s)\nE",
    "python3 - <<'E'\nimport os\nwith open('a', 'r+') as f:\n  l = f.read().split()\n  l.remove('x')\n  f.truncate()\nE",
    `node -e "const m = /x/.exec(s); require('fs').writeFileSync('a', m[i + 1])"`,
    `node -p "process.version"`,
    'python3 x.py',
    'node scripts/remove.mjs',
    'cat a.json | python3 -m json.tool',
    `cat a.json | node -e "process.stdin.pipe(process.stdout)"`,
    `perl -pi -e 's/unlink/remove/g' a`,
    `perl -ne 'print if /rename/' a`,
    `ruby -ne 'puts $_.upcase' a`,
    'php -v | head -1',
    'python3 --version | cat',
    `awk '{ print $1 }' a > b`,
    "git commit -m 'Call shutil.rmtree'",
    ...CHANGING_COMMANDS.filter((line) => !/git restore README|xargs|-exec|file\$i/.test(line)),
  ])('%s', async (line) => expect(await askedFor(line)).toBeUndefined());
});
