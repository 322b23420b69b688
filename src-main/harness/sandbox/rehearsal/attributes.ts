import { spawn } from 'node:child_process';
import { access } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { systemPath } from '../../../base/path-names';

/** Linux numbers of `llistxattr`. */
const LIST: Partial<Record<NodeJS.Architecture, number>> = { x64: 195, arm64: 12 };
/** Prints a line per path: the names of its attributes. */
const IN_PERL = `$/ = "\\0"; while (<STDIN>) { chomp; my $b = "\\0" x 65536; my $n = syscall(NUMBER, $_, $b, 65536);
print join(" ", split /\\0/, $n > 0 ? substr($b, 0, $n) : ""), "\\n" }`;
const IN_PYTHON = `import os,sys
for p in sys.stdin.buffer.read().split(b"\\0")[:-1]:
  try: print(*os.listxattr(p, follow_symlinks=False))
  except OSError: print()`;
/** It comes from the system. */
const LABEL = 'security.selinux';

/** Finds files with access lists or extended attributes, which a replacement would lose. If that is unknown: none. */
export async function withAttributes(paths: readonly string[]): Promise<boolean[]> {
  const names = await attributesOf(paths);
  return paths.map((_, index) => names?.[index]?.some((name) => name !== LABEL) ?? false);
}

/** Names of the attributes of each file. Node cannot read them, so perl or python3 does. Null without either. */
export async function attributesOf(paths: readonly string[]): Promise<string[][] | null> {
  const number = LIST[process.arch];
  const [file, args] =
    number !== undefined && (await exists('/usr/bin/perl'))
      ? ['/usr/bin/perl', ['-e', IN_PERL.replace('NUMBER', String(number))]]
      : ['/usr/bin/python3', ['-I', '-c', IN_PYTHON]];
  if (paths.length === 0) return [];
  if (!(await exists(file))) return null;
  const child = spawn(file, args, { env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  child.stdin.on('error', () => undefined);
  child.stdin.end(Buffer.concat(paths.flatMap((path) => [Buffer.from(systemPath(path)), Buffer.of(0)])));
  const [out] = await Promise.all([text(child.stdout), ended]);
  const lines = out.split('\n').slice(0, -1);
  return lines.length === paths.length ? lines.map((line) => line.split(' ').filter(Boolean)) : null;
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );
