import type { Confinement } from './bubblewrap';

type Shown = Pick<Confinement, 'folder' | 'temporary' | 'writable' | 'hidden' | 'pinned' | 'readOnly'> &
  Partial<Pick<Confinement, 'access' | 'home' | 'toolchains' | 'commonFolder'>>;

/** Parts of macOS: programs, libraries, developer tools and their data. */
const SYSTEM = [
  '/Applications/Xcode.app',
  '/Library/Apple',
  '/Library/Developer',
  '/Library/Frameworks',
  '/Library/Java',
  '/System',
  '/bin',
  '/dev',
  '/opt',
  '/private/etc/localtime',
  '/private/etc/passwd',
  '/private/etc/group',
  '/private/etc/protocols',
  '/private/etc/services',
  '/private/etc/shells',
  '/private/etc/ssl',
  '/private/var/db/dyld',
  '/private/var/db/timezone',
  '/private/var/db/xcode_select_link',
  '/private/var/select',
  '/sbin',
  '/usr',
];

/**
 * The same confinement as a profile for macOS' Seatbelt. With the access `read-write`, everything except hidden places is
 * readable, and the folder and temporary places are writable. With `read-only`, only temporary places are writable, and only
 * the folder, the system and toolchains are readable. There is no network. A later rule overrides an earlier one.
 */
export function seatbeltProfile(confinement: Shown): string {
  const { access = 'read-write', folder, temporary, writable, hidden, pinned, readOnly } = confinement;
  const written = [...(access === 'read-only' ? [] : [folder]), temporary, ...writable];
  const kept = [...readOnly, ...hidden.map(({ path }) => path)];
  return [
    '(version 1)',
    '(allow default)',
    '(deny network*)',
    '(deny file-write*)',
    `(allow file-write* ${written.map(below).join(' ')})`,
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (regex #"^/dev/ttys[0-9]+$"))',
    ...(access === 'read-only' ? onlyShown(confinement) : []),
    ...kept.map((path) => `(deny file-write* ${below(path)})`),
    // Renaming a folder moves its contents too.
    ...pinned.map((path) => `(deny file-write-unlink (literal ${quoted(path)}))`),
    ...hidden.map(({ path }) => `(deny file-read* file-write* ${below(path)})`),
    // The folder may be inside a hidden place, as the sample project is.
    ...(hidden.some(({ path }) => folder.startsWith(`${path}/`))
      ? [
          `(allow file-read* ${below(folder)})`,
          ...(access === 'read-only' ? [] : [`(allow file-write* ${below(folder)})`]),
        ]
      : []),
    ...readOnly.map((path) => `(deny file-write* ${below(path)})`),
    ...hidden
      .filter(({ path }) => path.startsWith(`${folder}/`))
      .map(({ path }) => `(deny file-read* file-write* ${below(path)})`),
    '(deny mach-lookup (global-name "com.apple.securityd.xpc") (global-name "com.apple.SecurityServer"))',
    ...(access === 'read-only' ? ['(deny mach-lookup (global-name "com.apple.pasteboard.1"))'] : []),
    '(deny appleevent-send)',
  ].join('\n');
}

/** Only named paths are readable. Metadata stays visible, since paths are resolved from the root. */
function onlyShown({ folder, temporary, writable, toolchains = [], commonFolder = null }: Shown): string[] {
  const shown = [
    ...SYSTEM,
    ...toolchains.flatMap(({ path, real }) => [path, real]),
    ...(commonFolder === null ? [] : [commonFolder]),
    ...writable,
    temporary,
    folder,
  ];
  return [
    '(deny file-read*)',
    '(allow file-read-metadata)',
    `(allow file-read* (literal "/") ${[...new Set(shown)].map(below).join(' ')})`,
  ];
}

/** The program and arguments that run a program in Seatbelt. */
export function inSeatbelt(
  sandboxExec: string,
  confinement: Confinement,
  program: { file: string; args: readonly string[] },
): { file: string; args: string[] } {
  const profile = seatbeltProfile(confinement);
  const { access, temporary } = confinement;
  // No empty home folder can be mounted over the person's.
  const env = [
    '/usr/bin/env',
    `TMPDIR=${temporary}`,
    ...(access === 'read-only' ? readOnlyVariables(temporary) : []),
  ];
  return { file: sandboxExec, args: ['-p', profile, ...env, program.file, ...program.args] };
}

const readOnlyVariables = (temporary: string) => [
  `HOME=${temporary}`,
  `npm_config_cache=${temporary}/.npm`,
  'GIT_OPTIONAL_LOCKS=0',
];

/** A path as a string of a profile. */
export const quoted = (path: string) => `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
/** A filter of a profile for a path and everything below it. */
export const below = (path: string) => `(subpath ${quoted(path)})`;
