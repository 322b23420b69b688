import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { capability } from '../../../../scripts/runtime/capabilities.mjs';

/** Texts that no line prints if it only reads the folder. */
const SECRET = 'canary-of-a-secret';
const OUTSIDE = 'canary-outside';
export const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin';

/** Whether lines can run here without harm. */
export const sandbox = await capability('commandSandbox');

/** Creates a project with links that lead out of it, secrets and planted programs, and an unrelated folder beside it. */
export function layOut(base: string): { folder: string } {
  const folder = join(base, 'project');
  for (const path of ['project/src', 'project/bin', 'outside/sub', 'home', 'marks', 'out'])
    mkdirSync(join(base, path), { recursive: true });
  const files: Record<string, string> = {
    'project/a.txt': 'one\ntwo\nthree\n',
    'project/src/b.txt': 'x\ny\n',
    'project/.env': `KEY=${SECRET}\n`,
    'project/src/.env': `KEY=${SECRET}\n`,
    'project/x': 'in the folder\n',
    'outside/x': `${OUTSIDE}\n`,
    [`outside/${OUTSIDE}-name`]: `${OUTSIDE}\n`,
    [`outside/sub/${OUTSIDE}-name`]: `${OUTSIDE}\n`,
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(base, path), text);
  for (const name of ['planted', 'ls', 'grep', 'cat', 'node', 'sort', 'find'])
    for (const place of ['project', 'project/bin'])
      writeFileSync(join(base, place, name), '#!/bin/sh\n: >"$MARK"\n', { mode: 0o755 });
  symlinkSync(join(base, 'outside/sub'), join(folder, 'link'));
  symlinkSync('../outside/x', join(folder, 'file'));
  return { folder };
}

/** Runs each line in separate shells and returns the problems by line; empty if all lines only read. */
export async function runLines(base: string, lines: readonly string[]): Promise<string[]> {
  const before = stateOf(base);
  const script = join(base, 'run.sh');
  writeFileSync(script, RUN);
  writeFileSync(join(base, 'lines'), lines.map((line) => `${line}\0`).join(''));
  const problem = await inBubblewrap(base, script);
  const found: string[] = [];
  for (const [index, line] of lines.entries()) {
    const said = JSON.stringify(line);
    const output = readFileSync(join(base, 'out', String(index)), 'latin1');
    if (output.includes(SECRET)) found.push(`${said} printed a secret`);
    // The name of a link's target is not content, so a line may print it.
    if (output.includes(`${OUTSIDE}\n`) || output.includes(`${OUTSIDE}-name`))
      found.push(`${said} read outside the folder`);
  }
  for (const name of readdirSync(join(base, 'marks')))
    found.push(
      `${JSON.stringify(lines[Number(name)])} ran a program of the folder or a command that it carries`,
    );
  const after = stateOf(base);
  if (after !== before)
    found.push(`one of these changed a file: ${JSON.stringify(lines)}\n${before}\n${after}`);
  if (problem !== null) found.push(problem);
  return found;
}

/** Runs every line in bash, and in dash if it is installed. Time and output have limits. */
const RUN = `
cd "$BASE/project"
index=0
while IFS= read -r -d '' line; do
  {
    export MARK="$BASE/marks/$index"
    ( ulimit -t 2; eval "$line" ) </dev/null 2>&1
    [ -x /bin/dash ] && ( ulimit -t 2; exec /bin/dash -c "$line" ) </dev/null 2>&1
  } | head -c 20000 >"$BASE/out/$index"
  index=$((index + 1))
done <"$BASE/lines"
`;

function inBubblewrap(base: string, script: string): Promise<string | null> {
  const args = [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--bind', base, base],
    ...['--unshare-all', '--die-with-parent', '--new-session', '--clearenv'],
    ...[
      '--setenv',
      'PATH',
      SEARCH_PATH,
      '--setenv',
      'HOME',
      join(base, 'home'),
      '--setenv',
      'LANG',
      'C.UTF-8',
    ],
    ...['--setenv', 'BASE', base, '/bin/bash', script],
  ];
  return new Promise((resolve) => {
    const child = spawn('/usr/bin/bwrap', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (text) => {
      errors += text;
    });
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) => resolve(code === 0 ? null : `the lines could not be run: ${errors}`));
  });
}

/** Everything in the project, beside it and in the home folder, as one text. */
function stateOf(base: string): string {
  const lines: string[] = [];
  const visit = (path: string) => {
    const found = lstatSync(join(base, path));
    if (found.isSymbolicLink()) lines.push(`${path} -> ${readlinkSync(join(base, path))}`);
    else if (found.isDirectory()) {
      lines.push(`${path}/`);
      for (const name of readdirSync(join(base, path)).sort()) visit(`${path}/${name}`);
    } else {
      const hash = createHash('sha1')
        .update(readFileSync(join(base, path)))
        .digest('hex');
      lines.push(`${path} ${found.mode.toString(8)} ${hash}`);
    }
  };
  for (const name of ['project', 'outside', 'home']) visit(name);
  return lines.join('\n');
}
