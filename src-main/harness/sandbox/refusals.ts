import { realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Refused } from '../../contract/sandbox';
import type { SandboxAccess } from '../backends/protocol';

/** Refusals that are named; more say nothing new. */
const NAMED = 6;
/** UTF-16 units of the output's end that are read for them. */
const READ_FROM = 60_000;
/** Paths that are looked up on this machine. */
const MAX_LOOKUPS = 20;

/** Each says that the system refused a write, with the path where the program names one. */
const WRITES = [
  /([^\s:'"`‘’]+)['"’]?: Read-only file system/g,
  /EROFS: [^\n]*?'([^'\n]+)'/g,
  /Read-only file system: ['"]?([^'"\n]+)['"]?/gi,
];
const ANY_WRITE = /read-only file system|EROFS/i;
const DENIED = [
  /([^\s:'"`‘’]+)['"’]?: (?:Permission denied|Operation not permitted)/g,
  /E(?:ACCES|PERM): [^\n]*?'([^'\n]+)'/g,
  /(?:Permission denied|Operation not permitted): ['"]?([^'"\n]+)['"]?/g,
];
const HOSTS = [
  /Could not resolve host: ([\w.-]+)/g,
  /Could not resolve proxy: ([\w.-]+)/g,
  /getaddrinfo (?:EAI_AGAIN|ENOTFOUND) ([\w.-]+)/g,
  /unable to resolve host address [‘'"]?([\w.-]+)/g,
  /(?:host|hostname|HTTPSConnectionPool\(host=)['"]?([\w.-]+\.[\w-]+)['"]?[^\n]*(?:Temporary failure in name resolution|Name or service not known)/g,
  /([\w.-]+): (?:Temporary failure in name resolution|Name or service not known)/g,
  /connect (?:ENETUNREACH|EHOSTUNREACH) ([\w.:]+)/g,
  /(?:dial tcp: lookup|lookup address information for) ([\w.-]+)/g,
  /connect to (?:host )?([\w.-]+) port \d+[^\n]*(?:Network is unreachable|Couldn't connect|Failed to connect)/g,
  /Failed to connect to ([\w.-]+) port/g,
  // Sockets of a command that only reads.
  /(?:connect|listen|bind) E(?:ACCES|PERM)[^\n]*? (\/[^\s]+)/g,
];
const ANY_NETWORK = /Network is unreachable|Temporary failure in name resolution|ENETUNREACH|EAI_AGAIN/;

const ABSENT = [
  /([^\s:'"`‘’]+)['"’]?: No such file or directory/g,
  /ENOENT: [^\n]*?'([^'\n]+)'/g,
  /No such file or directory: ['"]?([^'"\n]+)['"]?/g,
  /can't cd to ([^\n]+)/g,
  /cannot create ([^\n]+): Directory nonexistent/g,
  /(?:cannot open|cannot access|can't open(?: file)?) ['"‘]?([^'"’\n]+?)['"’]?(?:: | for reading|$)/gm,
];

export interface RefusalContext {
  /** Default: `read-write`. */
  access?: SandboxAccess;
  /** Null or absent where it is not known. */
  exitCode?: number | null;
  cwd: string;
  /** Hidden places and secrets, to tell a refusal of the sandbox from one of the file's own mode. */
  hidden: readonly string[];
  readOnly: readonly string[];
  /** Hosts that the proxy turned away. */
  hosts: readonly string[];
}

/**
 * What the sandbox refused, as far as the output and the exit code tell. Programs use their own words, so this is a help
 * for the reader and no record: what is not printed is not found, and what is only quoted may be found too.
 */
export function refusalsIn(output: string, context: RefusalContext): Refused[] {
  const { access = 'read-write', exitCode, cwd, hidden, readOnly, hosts } = context;
  const text = output.slice(-READ_FROM);
  const found = new Map<string, Refused>();
  const add = (what: Refused['what'], name: string) => {
    if (found.size < NAMED) found.set(`${what} ${name}`, { what, name });
  };
  for (const host of hosts) add('network', host);
  // With the network of this machine its own servers would have answered.
  for (const host of matches(text, HOSTS)) if (access === 'read-only' || !isOwn(host)) add('network', host);
  // What names nothing may be a quotation, and did no harm where the command succeeded.
  const isTrouble = exitCode !== 0;
  if (isTrouble && ANY_NETWORK.test(text) && !has(found, 'network')) add('network', '');
  for (const path of matches(text, WRITES)) add('write', path);
  if (isTrouble && ANY_WRITE.test(text) && !has(found, 'write')) add('write', '');
  for (const named of matches(text, DENIED)) {
    const path = posix.resolve(cwd, named);
    if (hidden.some((place) => isBelow(path, place))) add('read', named);
    else if (readOnly.some((place) => isBelow(path, place))) add('write', named);
  }
  return [...found.values()];
}

/**
 * What a command did not find, though it is there on this machine: the sandbox does not show it. Links are followed as the
 * command would outside.
 */
export async function leftOut(
  output: string,
  { cwd, isShown }: { cwd: string; isShown: (path: string) => boolean },
): Promise<Refused[]> {
  const text = output.slice(-READ_FROM);
  const named = [...new Set(matches(text, [...ABSENT, ...DENIED]))].slice(-MAX_LOOKUPS);
  /** Null: nothing is there. */
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
      // It is nowhere, so nothing could have read it; a folder that is left out might have taken it.
      return (await isLeftOut(posix.dirname(path))) ? [{ what: 'write', name }] : [];
    }),
  );
  return found.flat().slice(0, NAMED);
}

/** Places that the sandbox has of its own. */
const PROVIDED = /^\/(dev|proc|tmp|var\/tmp)(\/|$)/;

/** For the model: what was refused, what applies in the sandbox, and how to ask for more. */
export function noteOn(
  refused: readonly Refused[],
  made: readonly string[],
  {
    access = 'read-write',
    folder,
    hosts,
    changed = [],
  }: { access?: SandboxAccess; folder: string; hosts: readonly string[]; changed?: readonly string[] },
): string | null {
  const notes: string[] = [];
  if (refused.length > 0) {
    const what = refused
      .map(({ what, name }) => `${VERBS[what]} ${name === '' ? UNNAMED[what] : name}`)
      .join('; ');
    const reach = hosts.length === 0 ? 'no host' : `only ${hosts.join(', ')}`;
    const applies =
      access === 'read-only'
        ? `Commands that nobody is asked about change nothing but /tmp, reach no host, and see only ${folder}, system folders and toolchains.`
        : `Commands there write only in ${folder} and /tmp, reach ${reach}, and see no keys.`;
    notes.push(
      `[This ran in the sandbox, which did not let it ${what}. ${applies} If it is needed, run it again with outside_sandbox and the reason: the person is asked then.]`,
    );
  }
  if (made.length > 0)
    notes.push(
      `[It made ${made.join(', ')}, which other programs obey without asking. The person is told to look at it.]`,
    );
  if (changed.length > 0)
    notes.push(
      `[While it ran, ${changed.join(', ')} changed, which git or other programs run or obey. The person is told to check it. Do not change it again without asking.]`,
    );
  return notes.length === 0 ? null : notes.join('\n');
}

const VERBS = { write: 'write', read: 'read', network: 'reach' } as const;
const UNNAMED = { write: 'outside', read: 'what is hidden', network: 'the network' } as const;

const has = (found: ReadonlyMap<string, Refused>, what: Refused['what']) =>
  [...found.values()].some((one) => one.what === what);

function* matches(text: string, patterns: readonly RegExp[]): Generator<string> {
  for (const pattern of patterns)
    for (const [, name] of text.matchAll(pattern))
      if (name !== undefined) yield name.replace(/(?<=[^./])[.,;]+$/, '');
}

/** The sandbox's own loopback: nothing was refused there, only nobody listened. */
const isOwn = (host: string) => /^(localhost$|127\.|::1)/.test(host);

const isBelow = (path: string, place: string) => path === place || path.startsWith(`${place}/`);
