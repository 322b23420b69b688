import { spawn } from 'node:child_process';
import { access } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { systemPath } from '../../../../base/path-names';

/** Linux numbers of `llistxattr` and `lgetxattr`. */
const CALLS: Partial<Record<NodeJS.Architecture, readonly [list: number, get: number]>> = {
  x64: [195, 192],
  arm64: [12, 9],
};
/** Prints a line per path: its attributes as `name=value`, in hexadecimal. */
const IN_PERL = `$/ = "\\0"; while (<STDIN>) { chomp; my $p = $_; my $b = "\\0" x 65536; my $n = syscall(LIST, $p, $b, 65536);
print join(" ", map { my $v = "\\0" x 65536; my $l = syscall(GET, $p, $_, $v, 65536);
unpack("H*", $_) . "=" . unpack("H*", $l > 0 ? substr($v, 0, $l) : "") } split /\\0/, $n > 0 ? substr($b, 0, $n) : ""), "\\n" }`;
const IN_PYTHON = `import os,sys
for p in sys.stdin.buffer.read().split(b"\\0")[:-1]:
  try: print(*(os.fsencode(n).hex()+"="+os.getxattr(p, n, follow_symlinks=False).hex() for n in os.listxattr(p, follow_symlinks=False)))
  except OSError: print()`;
/** It comes from the system. */
const LABEL = 'security.selinux';

/** Finds files with access lists or extended attributes, which a replacement would lose. If that is unknown: none. */
export async function withAttributes(paths: readonly string[]): Promise<boolean[]> {
  const found = await attributesOf(paths);
  return paths.map((_, index) => [...(found?.[index]?.keys() ?? [])].some((name) => name !== LABEL));
}

/** Names, and values in hexadecimal. */
export type Attributes = ReadonlyMap<string, string>;

/** The attributes of each file. Node cannot read them, so perl or python3 does. Null without either. */
export async function attributesOf(paths: readonly string[]): Promise<Attributes[] | null> {
  const [list, get] = CALLS[process.arch] ?? [];
  const [file, args] =
    list !== undefined && (await exists('/usr/bin/perl'))
      ? ['/usr/bin/perl', ['-e', IN_PERL.replace('LIST', String(list)).replace('GET', String(get))]]
      : ['/usr/bin/python3', ['-I', '-c', IN_PYTHON]];
  if (paths.length === 0) return [];
  if (!(await exists(file))) return null;
  const child = spawn(file, args, { env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  child.stdin.on('error', () => undefined);
  child.stdin.end(Buffer.concat(paths.flatMap((path) => [Buffer.from(systemPath(path)), Buffer.of(0)])));
  const [out] = await Promise.all([text(child.stdout), ended]);
  const lines = out.split('\n').slice(0, -1);
  return lines.length === paths.length ? lines.map(parsed) : null;
}

const parsed = (line: string): Attributes =>
  new Map(
    line
      .split(' ')
      .filter(Boolean)
      .map((pair) => {
        const [name = '', value = ''] = pair.split('=');
        return [Buffer.from(name, 'hex').toString('latin1'), value];
      }),
  );

const ACCESS_LIST = 'system.posix_acl_access';
/** What programs set for a file, as opposed to what the system or a layer marks. */
export const isOwnAttribute = (name: string): boolean =>
  name.startsWith('system.posix_acl_') || (name.startsWith('user.') && !name.startsWith(OVERLAY));
const OVERLAY = 'user.overlay.';
/** On what a layer copied from the folder, as opposed to what replaced it. */
const COPIED = `${OVERLAY}origin`;

/**
 * Whether a command has changed attributes of one of these existing paths, which only a real run can do. Those that a
 * replaced file lost do not count, since Keep preserves them, and neither does a changed mode, which is part of an access list.
 */
export async function changesAttributes(
  paths: readonly string[],
  folder: string,
  upper: string,
): Promise<boolean> {
  const both = [folder, upper].flatMap((root) => paths.map((path) => `${root}/${path}`));
  const found = await attributesOf(both);
  if (found === null) return false;
  return paths.some((_, index) => {
    const [before, after] = [found[index], found[index + paths.length]];
    if (before === undefined || after?.has(COPIED) !== true) return false;
    const names = new Set([...before.keys(), ...after.keys()].filter(isOwnAttribute));
    return [...names].some((name) => withoutMode(name, before) !== withoutMode(name, after));
  });
}

/** Of an access list: what is not in the mode. 4 bytes of version, then 8 per entry, which begins with its tag. */
function withoutMode(name: string, attributes: Attributes): string {
  const value = attributes.get(name) ?? '';
  if (name !== ACCESS_LIST) return value;
  const entries = value.slice(8).match(/.{16}/g) ?? [];
  return entries.filter((entry) => !OF_MODE.includes(entry.slice(0, 4))).join('');
}
/** Tags of the owner, the mask and all others, little-endian. */
const OF_MODE = ['0100', '1000', '2000'];

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );
