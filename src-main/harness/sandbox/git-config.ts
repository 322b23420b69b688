import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { readRegularText } from '../../base/open-regular';
import { isRefused } from '../../base/regular-file';

export interface GitSetting {
  /** `section.name` or `section.subsection.name`; section and name in lower case. */
  key: string;
  value: string;
}

/** Maximum bytes read of one configuration. */
const MAX_CONFIG = 256 * 1024;
/** Maximum depth of included files. */
const MAX_INCLUDES = 20;

/** `s`: git ends no line at U+2028 and the like. */
const HEADER = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*/s;
const SETTING = /^([a-z][\w-]*)[ \t\r]*(?:=(.*))?$/is;

/** The settings of a git configuration file, in order. Invalid lines are skipped. */
function parseGitConfig(text: string): GitSetting[] {
  const found: GitSetting[] = [];
  let section = '';
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    let line = lines[at]?.trimStart() ?? '';
    // Git reads several headers in one line.
    for (let header = HEADER.exec(line); header !== null; header = HEADER.exec(line)) {
      const [all, name = '', sub] = header;
      section =
        sub === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${sub.replaceAll(/\\(.)/gs, '$1')}`;
      line = line.slice(all.length);
    }
    const setting = SETTING.exec(line);
    if (setting === null || section === '') continue;
    const [, name = '', first] = setting;
    const { value, last } = first === undefined ? { value: 'true', last: at } : valueIn(first, lines, at);
    at = last;
    found.push({ key: `${section}.${name.toLowerCase()}`, value });
  }
  return found;
}

/**
 * A value without quotes, escapes and comment, and its last line. A backslash at the end of a line continues it, but not in a
 * comment. Blanks at its ends count in quotes only.
 */
function valueIn(first: string, lines: readonly string[], start: number): { value: string; last: number } {
  let value = '';
  let length = 0;
  let isQuoted = false;
  let last = start;
  for (let line = first; ; ) {
    let continues = false;
    for (let at = 0; at < line.length; at += 1) {
      const char = line[at] ?? '';
      if (!isQuoted && (char === '#' || char === ';')) break;
      if (!isQuoted && /[ \t\r]/.test(char)) {
        if (value !== '') value += char;
        continue;
      }
      if (char === '"') isQuoted = !isQuoted;
      else if (char === '\\') {
        at += 1;
        const next = line[at];
        continues = next === undefined;
        value += next === undefined ? '' : (ESCAPES[next] ?? next);
      } else value += char;
      length = value.length;
    }
    if (!continues || last + 1 >= lines.length) return { value: value.slice(0, length), last };
    last += 1;
    line = lines[last] ?? '';
  }
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', b: '\b' };

export interface ReadSettings {
  settings: GitSetting[];
  /** Included files, whether or not they exist, without the configuration itself. */
  included: string[];
}

/** The settings of a configuration and of everything it includes, whatever the condition. */
export async function readGitConfig(file: string): Promise<ReadSettings> {
  const settings: GitSetting[] = [];
  const included: string[] = [];
  const left = [file];
  for (let path = left.shift(); path !== undefined; path = left.shift()) {
    const own = await settingsOf(path);
    settings.push(...own);
    for (const { key, value } of own) {
      if (!/^include(if\..*)?\.path$/s.test(key) || included.length >= MAX_INCLUDES) continue;
      const named = resolve(dirname(path), inHome(value));
      if (included.includes(named)) continue;
      included.push(named);
      left.push(named);
    }
  }
  return { settings, included };
}

/** Keyed by the file's status from the kernel: nobody can set the change time. */
const known = new Map<string, GitSetting[]>();
const MAX_KNOWN = 200;

/** The settings of one configuration, without included ones. */
export async function settingsOf(path: string): Promise<GitSetting[]> {
  const stats = await stat(path, { bigint: true }).catch(() => null);
  if (stats === null) return [];
  const key = `${stats.dev}:${stats.ino}:${stats.size}:${stats.ctimeNs}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const read = await readRegularText(path, { root: dirname(path), maxBytes: MAX_CONFIG, cut: true });
  const own = isRefused(read) ? [] : parseGitConfig(read.text);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, own);
  return own;
}

/** Settings whose value git runs, or from which it loads programs, hooks or settings. */
const RUNS =
  /^(core\.(hookspath|fsmonitor|sshcommand|gitproxy|editor|pager|askpass|attributesfile|alternaterefscommand)|sequence\.editor|pager\..*|alias\..*|filter\..*\.(clean|smudge|process)|diff\.(external|.*\.(command|textconv))|merge\..*\.driver|mergetool\..*\.(cmd|path)|difftool\..*\.(cmd|path)|guitool\..*\.cmd|browser\..*\.(cmd|path)|man\..*\.(cmd|path)|credential\.(.*\.)?helper|gpg\.(.*\.)?(program|defaultkeycommand)|interactive\.difffilter|uploadpack\.packobjectshook|remote\..*\.(uploadpack|receivepack|vcs)|submodule\..*\.update|trailer\..*\.(command|cmd)|include\.path|includeif\..*\.path|extensions\.worktreeconfig|protocol\..*|url\..*|web\.browser|help\.browser|instaweb\..*|sendemail\..*|init\.templatedir|lfs\..*|hook\..*\.command|tar\..*\.command|imap\.tunnel|gc\.recentobjectshook)$/s;

export const isRunning = ({ key, value }: GitSetting): boolean => RUNS.test(key) && value !== '';

/**
 * Paths in a setting, resolved like git from the top of the worktree: hooks, included settings, and each word of a command,
 * which may be a script of the project.
 */
export function pathsNamed({ key, value }: GitSetting, worktree: string): string[] {
  // Without `!` it is a git command.
  if (key.startsWith('alias.') && !value.startsWith('!')) return [];
  const words = /path$|file$|dir$/.test(key) ? [value] : (value.match(/[^\s'"!;&|()<>$`=]+/g) ?? []);
  return words.map((word) => inHome(word)).map((word) => (isAbsolute(word) ? word : join(worktree, word)));
}

export const inHome = (path: string, home = homedir()) =>
  path.startsWith('~/') ? join(home, path.slice(2)) : path;
