import { posix } from 'node:path';
import type { Refused } from '../contract/sandbox';

/** Refusals that are named; more say nothing new. */
const NAMED = 6;
/** UTF-16 units of the output's end that are read for them. */
const READ_FROM = 60_000;

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
];
const ANY_NETWORK = /Network is unreachable|Temporary failure in name resolution|ENETUNREACH|EAI_AGAIN/;

export interface RefusalContext {
  folder: string;
  cwd: string;
  /** Hidden places and secrets, to tell a refusal of the sandbox from one of the file's own mode. */
  hidden: readonly string[];
  readOnly: readonly string[];
  /** Hosts that the proxy turned away. */
  hosts: readonly string[];
}

/**
 * What the sandbox refused, as far as the output says. Programs say it in their own words, so this is a help for the
 * reader and no record: what is not said is not found, and what is only quoted is found too.
 */
export function refusalsIn(output: string, context: RefusalContext): Refused[] {
  const text = output.slice(-READ_FROM);
  const found = new Map<string, Refused>();
  const add = (what: Refused['what'], name: string) => {
    if (found.size < NAMED) found.set(`${what} ${name}`, { what, name });
  };
  for (const host of context.hosts) add('network', host);
  for (const host of matches(text, HOSTS)) if (!isOwn(host)) add('network', host);
  if (ANY_NETWORK.test(text) && !has(found, 'network')) add('network', '');
  for (const path of matches(text, WRITES)) add('write', path);
  if (ANY_WRITE.test(text) && !has(found, 'write')) add('write', '');
  for (const named of matches(text, DENIED)) {
    const path = posix.resolve(context.cwd, named);
    if (context.hidden.some((place) => isBelow(path, place))) add('read', named);
    else if (context.readOnly.some((place) => isBelow(path, place))) add('write', named);
  }
  return [...found.values()];
}

/** For the model: what was refused, what holds in the sandbox, and how to ask for more. */
export function noteOn(
  refused: readonly Refused[],
  made: readonly string[],
  { folder, hosts }: { folder: string; hosts: readonly string[] },
): string | null {
  const notes: string[] = [];
  if (refused.length > 0) {
    const what = refused
      .map(({ what, name }) => `${VERBS[what]} ${name === '' ? UNNAMED[what] : name}`)
      .join('; ');
    const reach = hosts.length === 0 ? 'no host' : `only ${hosts.join(', ')}`;
    notes.push(
      `[This ran in the sandbox, which did not let it ${what}. Commands there write only in ${folder} and /tmp, reach ${reach}, and see no keys. If it is needed, run it again with outside_sandbox and the reason: the person is asked then.]`,
    );
  }
  if (made.length > 0)
    notes.push(
      `[It made ${made.join(', ')}, which other programs obey without asking. The person is told to look at it.]`,
    );
  return notes.length === 0 ? null : notes.join('\n');
}

const VERBS = { write: 'write', read: 'read', network: 'reach' } as const;
const UNNAMED = { write: 'outside', read: 'what is hidden', network: 'the network' } as const;

const has = (found: ReadonlyMap<string, Refused>, what: Refused['what']) =>
  [...found.values()].some((one) => one.what === what);

function* matches(text: string, patterns: readonly RegExp[]): Generator<string> {
  for (const pattern of patterns)
    for (const [, name] of text.matchAll(pattern)) if (name !== undefined) yield name.replace(/[.,;]+$/, '');
}

/** The sandbox's own loopback: nothing was refused there, only nobody listened. */
const isOwn = (host: string) => /^(localhost$|127\.|::1)/.test(host);

const isBelow = (path: string, place: string) => path === place || path.startsWith(`${place}/`);
