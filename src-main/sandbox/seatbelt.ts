import type { Confinement } from './bubblewrap';

/**
 * The same in the words of macOS' Seatbelt: everything may be read but what is hidden, written is the folder and the
 * temporary places, and there is no network. A later rule wins over an earlier one.
 */
export function seatbeltProfile(confinement: Omit<Confinement, 'cwd' | 'network'>): string {
  const { folder, temporary, writable, hidden, repositories, readOnly } = confinement;
  const below = (path: string) => `(subpath ${quoted(path)})`;
  const written = [folder, temporary, ...writable];
  const kept = [...readOnly, ...hidden.map(({ path }) => path)];
  return [
    '(version 1)',
    '(allow default)',
    '(deny network*)',
    '(deny file-write*)',
    `(allow file-write* ${written.map(below).join(' ')})`,
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (regex #"^/dev/ttys[0-9]+$"))',
    ...kept.map((path) => `(deny file-write* ${below(path)})`),
    // What is renamed takes what is in it along.
    ...repositories.map((path) => `(deny file-write-unlink (literal ${quoted(path)}))`),
    ...hidden.map(({ path }) => `(deny file-read* file-write* ${below(path)})`),
    // The folder may lie in a hidden place, as the sample project does.
    ...(hidden.some(({ path }) => folder.startsWith(`${path}/`))
      ? [`(allow file-read* ${below(folder)})`, `(allow file-write* ${below(folder)})`]
      : []),
    ...readOnly.map((path) => `(deny file-write* ${below(path)})`),
    ...hidden
      .filter(({ path }) => path.startsWith(`${folder}/`))
      .map(({ path }) => `(deny file-read* file-write* ${below(path)})`),
    '(deny mach-lookup (global-name "com.apple.securityd.xpc") (global-name "com.apple.SecurityServer"))',
    '(deny appleevent-send)',
  ].join('\n');
}

/** The program and arguments that run a program in Seatbelt. */
export function inSeatbelt(
  sandboxExec: string,
  confinement: Confinement,
  program: { file: string; args: readonly string[] },
): { file: string; args: string[] } {
  const profile = seatbeltProfile(confinement);
  const env = ['/usr/bin/env', `TMPDIR=${confinement.temporary}`];
  return { file: sandboxExec, args: ['-p', profile, ...env, program.file, ...program.args] };
}

const quoted = (path: string) => `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
