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

/** Bytes of one configuration that are read. */
const MAX_CONFIG = 256 * 1024;
/** Files that one configuration may include, one in the other. */
const MAX_INCLUDES = 20;

/** The settings of a configuration file of git, in order. What is no setting is left out. */
function parseGitConfig(text: string): GitSetting[] {
  const found: GitSetting[] = [];
  let section = '';
  // A backslash at the end of a line goes on with the next one.
  for (const whole of text.replaceAll(/\\\r?\n/g, '').split(/\r?\n/)) {
    let line = whole.trim();
    const header = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (header !== null) {
      const [all, name = '', sub] = header;
      section =
        sub === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${sub.replaceAll(/\\(.)/g, '$1')}`;
      line = line.slice(all.length).trim();
    }
    const setting = /^([a-z][\w-]*)\s*(?:=\s*(.*))?$/i.exec(line);
    if (setting === null || section === '') continue;
    const [, name = '', raw] = setting;
    found.push({ key: `${section}.${name.toLowerCase()}`, value: raw === undefined ? 'true' : valueIn(raw) });
  }
  return found;
}

/** A value without quotes, escapes and comment. */
function valueIn(raw: string): string {
  let value = '';
  let isQuoted = false;
  for (let at = 0; at < raw.length; at += 1) {
    const char = raw[at] ?? '';
    if (char === '"') isQuoted = !isQuoted;
    else if (char === '\\') {
      at += 1;
      const next = raw[at] ?? '';
      value += ESCAPES[next] ?? next;
    } else if (!isQuoted && (char === '#' || char === ';')) break;
    else value += char;
  }
  return value.trim();
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', b: '\b' };

export interface ReadSettings {
  settings: GitSetting[];
  /** Files that were read or would be, the configuration itself not counted. */
  included: string[];
}

/** The settings of a configuration and of all that it includes, whatever the condition. */
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

/** By what the kernel says of a file: nobody can set the time of its last change. */
const known = new Map<string, GitSetting[]>();
const MAX_KNOWN = 200;

/** The settings of one configuration, without those that it includes. */
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

/** Settings whose value git runs, or takes programs, hooks or settings from. */
const RUNS =
  /^(core\.(hookspath|fsmonitor|sshcommand|gitproxy|editor|pager|askpass|attributesfile|alternaterefscommand)|sequence\.editor|pager\..*|alias\..*|filter\..*\.(clean|smudge|process)|diff\.(external|.*\.(command|textconv))|merge\..*\.driver|mergetool\..*\.(cmd|path)|difftool\..*\.(cmd|path)|guitool\..*\.cmd|browser\..*\.(cmd|path)|man\..*\.(cmd|path)|credential\.(.*\.)?helper|gpg\.(.*\.)?(program|defaultkeycommand)|interactive\.difffilter|uploadpack\.packobjectshook|remote\..*\.(uploadpack|receivepack|vcs)|submodule\..*\.update|trailer\..*\.(command|cmd)|include\.path|includeif\..*\.path|extensions\.worktreeconfig|protocol\..*|url\..*|web\.browser|help\.browser|instaweb\..*|sendemail\..*|init\.templatedir|lfs\..*|hook\..*\.command)$/s;

export const isRunning = ({ key, value }: GitSetting): boolean => RUNS.test(key) && value !== '';

/**
 * Paths that a setting names, as git would find them from the top of the worktree: that of hooks or included settings,
 * and each word of a command, one of which may be a script of the project.
 */
export function pathsNamed({ key, value }: GitSetting, worktree: string): string[] {
  // Without a mark it is a command of git.
  if (key.startsWith('alias.') && !value.startsWith('!')) return [];
  const words = /path$|file$|dir$/.test(key) ? [value] : (value.match(/[^\s'"!;&|()<>$`=]+/g) ?? []);
  return words.map((word) => inHome(word)).map((word) => (isAbsolute(word) ? word : join(worktree, word)));
}

export const inHome = (path: string, home = homedir()) =>
  path.startsWith('~/') ? join(home, path.slice(2)) : path;
