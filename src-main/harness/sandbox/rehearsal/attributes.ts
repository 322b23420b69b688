import { spawn } from 'node:child_process';
import { access } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { systemPath } from '../../../base/path-names';

/** Linux numbers of `llistxattr`. */
const LIST: Partial<Record<NodeJS.Architecture, number>> = { x64: 195, arm64: 12 };
/** Prints a line per path: 1 if it has an access list or custom attributes. Labels come from the system. */
const IN_PERL = `$/ = "\\0"; while (<STDIN>) { chomp; my $b = "\\0" x 65536; my $n = syscall(NUMBER, $_, $b, 65536);
print((grep { $_ ne "security.selinux" } split /\\0/, $n > 0 ? substr($b, 0, $n) : "") ? "1\\n" : "0\\n") }`;
const IN_PYTHON = `import os,sys
for p in sys.stdin.buffer.read().split(b"\\0")[:-1]:
  try: print(int(any(n != "security.selinux" for n in os.listxattr(p, follow_symlinks=False))))
  except OSError: print(0)`;

/**
 * Finds files with access lists or extended attributes, which a replacement would lose. Node cannot read them, so perl or
 * python3 does. Without either: none.
 */
export async function withAttributes(paths: readonly string[]): Promise<boolean[]> {
  const none = paths.map(() => false);
  const number = LIST[process.arch];
  const [file, args] =
    number !== undefined && (await exists('/usr/bin/perl'))
      ? ['/usr/bin/perl', ['-e', IN_PERL.replace('NUMBER', String(number))]]
      : ['/usr/bin/python3', ['-I', '-c', IN_PYTHON]];
  if (paths.length === 0 || !(await exists(file))) return none;
  const child = spawn(file, args, { env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  child.stdin.on('error', () => undefined);
  child.stdin.end(Buffer.concat(paths.flatMap((path) => [Buffer.from(systemPath(path)), Buffer.of(0)])));
  const [out] = await Promise.all([text(child.stdout), ended]);
  const lines = out.split('\n').slice(0, -1);
  return lines.length === paths.length ? lines.map((line) => line === '1') : none;
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );
