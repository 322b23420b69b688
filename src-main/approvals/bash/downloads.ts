import { reachOfName } from '../../base/network/addresses';
import { parseLine } from './commands';
import { commandsIn, type FoundCommand } from './walk';

/** Programs that print or save what another computer sends. Package managers are not among them. */
const PROGRAMS = new Set(
  `
  curl wget wget2 aria2c axel http https xh lynx links elinks w3m yt-dlp youtube-dl
  ssh scp sftp ftp lftp nc ncat netcat socat telnet gh glab hub
`
    .trim()
    .split(/\s+/),
);
/** Programs that do so only with an address of another computer. */
const WITH_ADDRESS = new Set(['git', 'rsync', 'svn', 'hg']);
const THIS_COMPUTER = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?(\/|$)/i;
/** `user@host:path`, or `host:path` with more than a drive letter. */
const REMOTE_PATH = /^(?:[\w.-]+@)?([\w.-]{2,}):(?!\/\/)/;
const IN_TEXT = /[\s;|&(){}`"'<>]+/;
/** Only the paths of commands depend on these, and addresses are no paths. */
const ANYWHERE = { cwd: '/', home: '/' };

/**
 * Where the text comes from that the commands of a line download: a host if its address is in the line, otherwise the name
 * of the program. What only this computer sends is not a download, and what a script downloads stays unknown.
 */
export function downloadsIn(source: string): string[] {
  const found = new Set<string>();
  for (const command of commandsIn(source, ANYWHERE)) for (const name of ofCommand(command)) found.add(name);
  // Text that the parser does not understand is split as a person would read it.
  if (parseLine(source).problem !== null)
    for (const word of source.split(IN_TEXT)) {
      const name = word.split('/').at(-1) ?? '';
      if (PROGRAMS.has(name)) found.add(name);
    }
  return [...found];
}

function ofCommand({ name, rest }: FoundCommand): readonly string[] {
  const isProgram = PROGRAMS.has(name);
  if (!isProgram && !WITH_ADDRESS.has(name)) return [];
  const words = rest.map(({ value }) => value);
  const hosts = words.flatMap((word) => hostIn(word, name) ?? []);
  if (hosts.length > 0) return hosts.flatMap((host) => (host === LOCAL ? [] : [host]));
  // `curl --version` downloads nothing.
  return isProgram && words.some((word) => !word.startsWith('-')) ? [name] : [];
}

const LOCAL = Symbol('local');

/** The host that a word names; undefined if it names none. */
function hostIn(word: string, program: string): string | typeof LOCAL | undefined {
  const value = word.replace(/^--[\w-]+=/, '');
  if (THIS_COMPUTER.test(value)) return LOCAL;
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) && URL.canParse(value) ? new URL(value) : null;
  if (url !== null && url.protocol !== 'file:' && url.hostname !== '')
    return reachOfName(url) === 'loopback' ? LOCAL : url.host;
  return /^(git|rsync|scp|sftp)$/.test(program) ? REMOTE_PATH.exec(value)?.[1] : undefined;
}
