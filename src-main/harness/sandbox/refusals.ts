import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import { isBelow } from '../../base/is-below';
import { optional } from '../../contract/shared/optional';
import type { Refused } from '../../contract/shared/sandbox';
import type { SandboxAccess } from '../backends/commands';
import type { RefusedHost } from './proxy';

/** Maximum number of named refusals; more add nothing. */
const NAMED = 6;
/** UTF-16 units at the end of the output that are searched for refusals. */
const READ_FROM = 60_000;
/** Maximum number of paths checked on this machine. */
const MAX_LOOKUPS = 20;

/*
 * The output is from anyone and may be one line of 60,000 characters. So each pattern below takes linear time: one that begins
 * with a name starts only where a name does, and what may stand between two parts has a limit.
 */

/** Patterns for refused writes, with the path if the program names one. */
const WRITES = [
  /(?<![^\s:'"`‘’])([^\s:'"`‘’]+)['"’]?: Read-only file system/g,
  /EROFS: [^\n]{0,300}?'([^'\n]+)'/g,
  /Read-only file system: ['"]?([^'"\n]+)['"]?/gi,
];
const ANY_WRITE = /read-only file system|EROFS/i;
const DENIED = [
  /(?<![^\s:'"`‘’])([^\s:'"`‘’]+)['"’]?: (?:Permission denied|Operation not permitted)/g,
  /E(?:ACCES|PERM): [^\n]{0,300}?'([^'\n]+)'/g,
  /(?:Permission denied|Operation not permitted): ['"]?([^'"\n]+)['"]?/g,
];
/** Git about a tracked file that is hidden. It names files from the top of the repository. */
const HIDDEN_FROM_GIT = [
  /^error: (.+): (?:unsupported file type|can only add regular files, symbolic links or git-directories)\r?$/gm,
];
const ANY_DENIED = /permission denied|operation not permitted|EACCES|EPERM/i;
/** The sandbox or a script's interpreter did not start. */
const NOT_STARTED = /^bwrap: |: bad interpreter: |: cannot execute: required file not found/m;
/** A shell's exit code for a file that it may not run. */
const NOT_RUNNABLE = 126;
const HOSTS = [
  /Could not resolve host: ([\w.-]+)/g,
  /Could not resolve proxy: ([\w.-]+)/g,
  /getaddrinfo (?:EAI_AGAIN|ENOTFOUND) ([\w.-]+)/g,
  /unable to resolve host address [‘'"]?([\w.-]+)/g,
  /(?<![\w.-])(?:host|hostname|HTTPSConnectionPool\(host=)['"]?([\w.-]{1,253}\.[\w-]{1,63})['"]?[^\n]{0,1000}(?:Temporary failure in name resolution|Name or service not known)/g,
  /(?<![\w.-])([\w.-]+): (?:Temporary failure in name resolution|Name or service not known)/g,
  /connect (?:ENETUNREACH|EHOSTUNREACH) ([\w.:]+)/g,
  /(?:dial tcp: lookup|lookup address information for) ([\w.-]+)/g,
  /connect to (?:host )?([\w.-]+) port \d+[^\n]{0,300}(?:Network is unreachable|Couldn't connect|Failed to connect)/g,
  /Failed to connect to ([\w.-]+) port/g,
  // Sockets of a read-only command.
  /(?:connect|listen|bind) E(?:ACCES|PERM)[^\n]{0,300}? (\/[^\s]+)/g,
];
const ANY_NETWORK = /Network is unreachable|Temporary failure in name resolution|ENETUNREACH|EAI_AGAIN/;

const ABSENT = [
  /(?<![^\s:'"`‘’])([^\s:'"`‘’]+)['"’]?: No such file or directory/g,
  /ENOENT: [^\n]{0,300}?'([^'\n]+)'/g,
  /No such file or directory: ['"]?([^'"\n]+)['"]?/g,
  /can't cd to ([^\n]+)/g,
  /cannot create ([^\n]{1,4096}): Directory nonexistent/g,
  /(?:cannot open|cannot access|can't open(?: file)?) ['"‘]?([^'"’\n]{1,4096}?)['"’]?(?:: | for reading|$)/gm,
];

/** Programs that a shell or `env` did not find, without a path. */
const NO_PROGRAM = [
  /(?:^|[\s:])([^\s:/'"`‘’]+): (?:command )?not found$/gm,
  /env: ['"‘]?([^\s:/'"’]+)['"’]?: No such file or directory/g,
];

export interface RefusalContext {
  /** Default: `read-write`. */
  access?: SandboxAccess;
  /** Null or absent if unknown. */
  exitCode?: number | null;
  cwd: string;
  /** Hidden places and secrets, to tell a sandbox refusal from one by the file's mode. */
  hidden: readonly string[];
  readOnly: readonly string[];
  /** Hosts that the proxy refused. */
  hosts: readonly RefusedHost[];
}

/**
 * What the sandbox refused, judging by the output and the exit code. Programs word this differently, so this is a hint for
 * the reader and not a record: unprinted refusals are missed, and quoted ones may be counted.
 */
export function refusalsIn(output: string, context: RefusalContext): Refused[] {
  const { access = 'read-write', exitCode, cwd, hidden, readOnly, hosts } = context;
  const text = output.slice(-READ_FROM);
  const found = new Map<string, Refused>();
  const add = (what: Refused['what'], name: string, via?: string) => {
    if (found.size < NAMED) found.set(`${what} ${name}`, { what, name, ...optional({ via }) });
  };
  for (const { name, via } of hosts) add('network', name, via);
  // With this machine's network, its own servers would have answered.
  const isAllowed = (host: string) => hosts.some(({ via }) => via === host);
  for (const host of matches(text, HOSTS))
    if ((access === 'read-only' || !isOwn(host)) && !isAllowed(host)) add('network', host);
  // An error without a path may be a quotation, and is harmless if the command succeeded.
  const isTrouble = exitCode !== 0;
  if (isTrouble && ANY_NETWORK.test(text) && !has(found, 'network')) add('network', '');
  for (const path of matches(text, WRITES)) add('write', path);
  if (isTrouble && ANY_WRITE.test(text) && !has(found, 'write')) add('write', '');
  for (const named of matches(text, DENIED)) {
    const path = posix.resolve(cwd, named);
    if (hidden.some((place) => isBelow(path, place))) add('read', named);
    else if (readOnly.some((place) => isBelow(path, place))) add('write', named);
  }
  for (const named of matches(text, HIDDEN_FROM_GIT))
    if (hidden.some((place) => place.endsWith(`/${named}`))) add('read', named);
  return [...found.values()];
}

/**
 * What a command did not find although it exists on this machine: the sandbox hides it. Links resolve as they would outside.
 * `searchPath`: where programs are searched.
 */
export async function leftOut(
  output: string,
  { cwd, isShown, searchPath = '' }: { cwd: string; isShown: (path: string) => boolean; searchPath?: string },
): Promise<Refused[]> {
  const text = output.slice(-READ_FROM);
  const named = [...new Set(matches(text, [...ABSENT, ...DENIED]))].slice(-MAX_LOOKUPS);
  /** Null: nothing exists there. */
  const isLeftOut = async (path: string): Promise<boolean | null> => {
    const real = await realpath(path).catch(() => null);
    return real === null ? null : !PROVIDED.test(real) && !isShown(real);
  };
  const found = await Promise.all(
    named.map(async (name): Promise<Refused[]> => {
      const path = posix.resolve(cwd, name);
      if (PROVIDED.test(path)) return [];
      const isThere = await isLeftOut(path);
      if (isThere !== null) return isThere ? [{ what: 'read', name }] : [];
      // It exists nowhere, so it was not a read; a hidden folder could have received the write.
      return (await isLeftOut(posix.dirname(path))) ? [{ what: 'write', name }] : [];
    }),
  );
  const programs = await Promise.all(
    [...new Set(matches(text, NO_PROGRAM))].slice(-MAX_LOOKUPS).map((name) => programAt(name, searchPath)),
  );
  const hidden = programs.flatMap((path): Refused[] => (path === null ? [] : [{ what: 'read', name: path }]));
  return [...found.flat(), ...hidden].slice(0, NAMED);
}

async function programAt(name: string, searchPath: string): Promise<string | null> {
  for (const folder of searchPath.split(':').filter(posix.isAbsolute)) {
    const path = posix.join(folder, name);
    if (await allows(path, constants.X_OK)) return path;
  }
  return null;
}

/**
 * Whether a failed command was refused a permission without another explanation: it printed so, and not about a file that is
 * closed to this user outside the sandbox too.
 */
export async function lacksPermission(
  output: string,
  { cwd, exitCode }: { cwd: string; exitCode: number },
): Promise<boolean> {
  const text = output.slice(-READ_FROM);
  if (NOT_STARTED.test(text)) return true;
  const named = [...new Set(matches(text, DENIED))].slice(-MAX_LOOKUPS);
  if (named.length === 0) return ANY_DENIED.test(text);
  const wanted = exitCode === NOT_RUNNABLE ? constants.X_OK : constants.R_OK;
  const closed = await Promise.all(named.map((name) => isClosed(posix.resolve(cwd, name), wanted)));
  return closed.includes(false);
}

const allows = (path: string, mode: number): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  );

/** Whether something exists that this user may not open. */
const isClosed = async (path: string, mode: number): Promise<boolean> =>
  (await allows(path, constants.F_OK)) && !(await allows(path, mode));

/** Places that the sandbox provides itself. */
const PROVIDED = /^\/(dev|proc|tmp|var\/tmp)(\/|$)/;

/** For the model: what was refused, what applies in the sandbox, and how to request more. */
export function noteOn(
  refused: readonly Refused[],
  made: readonly string[],
  {
    access = 'read-write',
    folder,
    hosts,
    changed = [],
    links = [],
    canAskOutside = false,
  }: {
    access?: SandboxAccess;
    folder: string;
    hosts: readonly string[];
    changed?: readonly string[];
    /** Links whose folders are read-only, relative to the folder. */
    links?: readonly string[];
    /** The model can ask a person to run the command outside. */
    canAskOutside?: boolean;
  },
): string | null {
  const notes: string[] = [];
  const told = canAskOutside ? ' The person is told to check it.' : '';
  if (refused.length > 0) {
    const what = refused
      .map(({ what, name, via }) => {
        const words = `${VERBS[what]} ${name === '' ? UNNAMED[what] : name}`;
        return via === undefined
          ? words
          : `${words}, the local address of ${via}, which needs a rule of its own`;
      })
      .join('; ');
    const reach = hosts.length === 0 ? 'no host' : `only ${hosts.join(', ')}`;
    const applies =
      access === 'read-only'
        ? `Commands that run without asking write only in /tmp, reach no host, and see only ${folder}, system folders and toolchains.`
        : `Commands there write only in ${folder} and /tmp, reach ${reach}, and see no keys.${closedBy(links)}`;
    const way = canAskOutside
      ? ' If it needs that, run it again with outside_sandbox and the reason: the person is then asked.'
      : '';
    notes.push(`[This ran in the sandbox, which did not let it ${what}. ${applies}${way}]`);
  }
  if (made.length > 0)
    notes.push(`[It created ${made.join(', ')}, which other programs run without asking.${told}]`);
  if (changed.length > 0)
    notes.push(
      `[While it ran, ${changed.join(', ')} changed, which git or other programs run.${told} Do not change it again without asking.]`,
    );
  return notes.length === 0 ? null : notes.join('\n');
}

const closedBy = (links: readonly string[]): string =>
  links.length === 0
    ? ''
    : ` Other programs obey what these links lead to, and the folders that hold the links are read-only: ${links.join(', ')}.`;

const VERBS = { write: 'write', read: 'read', network: 'reach', permission: 'use' } as const;
const UNNAMED = {
  write: 'outside',
  read: 'what is hidden',
  network: 'the network',
  permission: 'a permission that it needs',
} as const;

const has = (found: ReadonlyMap<string, Refused>, what: Refused['what']) =>
  [...found.values()].some((one) => one.what === what);

function* matches(text: string, patterns: readonly RegExp[]): Generator<string> {
  for (const pattern of patterns)
    for (const [, name] of text.matchAll(pattern))
      if (name !== undefined) yield name.replace(/(?<=[^./,;])[.,;]+$/, '');
}

/** The sandbox's own loopback: nothing was refused there, nobody listened. */
const isOwn = (host: string) => /^(localhost$|127\.|::1)/.test(host);
