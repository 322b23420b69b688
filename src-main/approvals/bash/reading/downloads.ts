import { reachOfName } from '../../../base/network/addresses';
import { parseLine } from '../commands/commands';
import { commandsIn, type FoundCommand } from '../commands/walk';
import { isLanguage } from '../parsing/interpreters';

/** Programs that print or save what another computer sends. Package managers are not among them. */
const PROGRAMS = new Set(
  `
  curl wget wget2 aria2c axel http https httpie curlie xh lynx links elinks w3m yt-dlp youtube-dl websocat wscat grpcurl
  lwp-request lwp-download GET HEAD POST dig drill kdig nslookup whois finger
  ssh scp sftp ftp lftp tftp nc ncat netcat socat telnet mosh autossh sshpass smbclient ldapsearch rclone s3cmd
  gh glab hub tea jira aws gsutil gcloud az kubectl heroku flyctl vercel
`
    .trim()
    .split(/\s+/),
);
/** Programs that do so only with an address of another computer. */
const WITH_ADDRESS = new Set(['git', 'rsync', 'svn', 'hg']);
/** An address in code: `python3 -c "…urlopen('https://…')"`, `node -e`. */
const ADDRESS_IN_CODE = /\b(?:https?|ftp|wss?):\/\/[^\s'"`<>()\\]+/gi;
/** Bash itself connects to the host of such a file. */
const CONNECTION = /^\/dev\/(?:tcp|udp)\/([^/]+)\/[^/]+$/;
/** Words with which a program only prints about itself. */
const ABOUT = /^(?:--version|-V|--help|-h)$/;
const THIS_COMPUTER = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?(\/|$)/i;
/** `user@host:path`, or `host:path` with more than a drive letter. */
const REMOTE_PATH = /^(?:[\w.-]+@)?([\w.-]{2,}):(?!\/\/)/;
const IN_TEXT = /[\s;|&(){}`"'<>]+/;
/** Only the paths of commands depend on these, and addresses are no paths. */
const ANYWHERE = { cwd: '/', home: '/' };

/**
 * Where the text comes from that the commands of a line download: a host if its address is in the line, otherwise the name
 * of the program. Code in the line counts with the addresses that it names. What only this computer sends is not a download, and what a script downloads stays unknown.
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

function ofCommand({ name, rest, redirects }: FoundCommand): readonly string[] {
  const connected = redirects.flatMap(({ target }) => CONNECTION.exec(target?.value ?? '')?.[1] ?? []);
  const words = rest.map(({ value }) => value);
  return [...connected.filter((host) => !THIS_COMPUTER.test(host)), ...ofWords(name, words)];
}

function ofWords(name: string, words: readonly string[]): readonly string[] {
  if (isLanguage(name)) {
    const addresses = words.flatMap((word) => word.match(ADDRESS_IN_CODE) ?? []);
    return addresses.map((one) => hostIn(one, name)).filter((host) => typeof host === 'string');
  }
  const isProgram = PROGRAMS.has(name);
  if (!isProgram && !WITH_ADDRESS.has(name)) return [];
  const hosts = words.flatMap((word) => hostIn(word, name) ?? []);
  if (hosts.length > 0) return hosts.flatMap((host) => (host === LOCAL ? [] : [host]));
  // Its addresses may come from a file or a pipe: `wget --input-file=list`, `xargs curl`.
  return isProgram && !(words.length > 0 && words.every((word) => ABOUT.test(word))) ? [name] : [];
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
