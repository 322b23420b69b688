import type { Approval } from '../../contract/conversation';
import type { ShellWord } from './words';

type Risk = Approval['risk'];

/** What well-known programs do, in words, for a person who has to decide. */
const KNOWN: Readonly<Record<string, { reason: string; risk: Risk }>> = {
  cd: { reason: 'it changes the folder that the next commands run in', risk: 'low' },
  rm: { reason: 'it deletes files', risk: 'high' },
  rmdir: { reason: 'it deletes folders', risk: 'medium' },
  unlink: { reason: 'it deletes a file', risk: 'high' },
  shred: { reason: 'it destroys files', risk: 'high' },
  truncate: { reason: 'it empties or cuts files', risk: 'high' },
  mv: { reason: 'it moves files and overwrites what is there', risk: 'medium' },
  cp: { reason: 'it copies files and overwrites what is there', risk: 'medium' },
  ln: { reason: 'it creates a link', risk: 'medium' },
  mkdir: { reason: 'it creates folders', risk: 'low' },
  touch: { reason: 'it creates files or changes their times', risk: 'low' },
  tee: { reason: 'it writes files', risk: 'medium' },
  chmod: { reason: 'it changes who may use files', risk: 'medium' },
  chown: { reason: 'it changes whose files they are', risk: 'high' },
  kill: { reason: 'it ends programs', risk: 'medium' },
  pkill: { reason: 'it ends programs', risk: 'high' },
  killall: { reason: 'it ends programs', risk: 'high' },
  curl: { reason: 'it talks to the network', risk: 'medium' },
  wget: { reason: 'it downloads from the network', risk: 'medium' },
  ssh: { reason: 'it runs commands on another computer', risk: 'high' },
  scp: { reason: 'it copies files to or from another computer', risk: 'high' },
  sftp: { reason: 'it copies files to or from another computer', risk: 'high' },
  rsync: { reason: 'it copies files, possibly to another computer', risk: 'high' },
  nc: { reason: 'it talks to the network', risk: 'high' },
  docker: { reason: 'it controls containers, which can reach all your files', risk: 'high' },
  podman: { reason: 'it controls containers', risk: 'high' },
  kubectl: { reason: 'it controls a cluster', risk: 'high' },
  make: { reason: 'it runs what the Makefile says', risk: 'medium' },
  npm: { reason: 'it runs scripts of the project or of packages', risk: 'medium' },
  pnpm: { reason: 'it runs scripts of the project or of packages', risk: 'medium' },
  yarn: { reason: 'it runs scripts of the project or of packages', risk: 'medium' },
  npx: { reason: 'it downloads and runs a package', risk: 'high' },
  pip: { reason: 'it installs packages, which run code', risk: 'medium' },
  pip3: { reason: 'it installs packages, which run code', risk: 'medium' },
  env: { reason: 'it shows variables, or runs a command with others', risk: 'medium' },
  printenv: { reason: 'it shows variables, which may hold secrets', risk: 'medium' },
  awk: { reason: 'its program can write files and run commands', risk: 'medium' },
  tar: { reason: 'it unpacks or packs files', risk: 'medium' },
  dd: { reason: 'it writes files or devices byte by byte', risk: 'high' },
  less: { reason: 'it waits for keys, and can run commands', risk: 'low' },
  vim: { reason: 'it waits for keys, and can run commands', risk: 'medium' },
  crontab: { reason: 'it shows what runs by the clock', risk: 'low' },
  trap: { reason: 'it has a command run later', risk: 'medium' },
  alias: { reason: 'it gives a command another meaning', risk: 'medium' },
  source: { reason: 'it runs the commands of a file', risk: 'medium' },
  '.': { reason: 'it runs the commands of a file', risk: 'medium' },
};

const INTERPRETERS = /^(python[\d.]*|node|deno|bun|perl|ruby|php|lua|osascript|sh|bash|dash|zsh|ksh|fish)$/;

const GIT: Readonly<Record<string, { reason: string; risk: Risk }>> = {
  push: { reason: 'it sends your commits to another computer', risk: 'medium' },
  clean: { reason: 'it deletes files that git does not know', risk: 'high' },
  reset: { reason: 'it can discard your changes', risk: 'medium' },
  checkout: { reason: 'it can discard your changes', risk: 'medium' },
  restore: { reason: 'it discards your changes', risk: 'medium' },
  clone: { reason: 'it downloads a repository', risk: 'medium' },
};

/** Why a command is asked about, and how much is at stake. */
export function reasonFor(name: string, words: readonly ShellWord[]): { reason: string; risk: Risk } {
  const values = words.map((word) => word.value);
  if (name === 'git') {
    const known = GIT[values.find((value) => !value.startsWith('-')) ?? ''];
    const forced = values.some((value) => value === '--force' || value === '-f' || value === '--hard');
    if (known !== undefined) return forced ? { ...known, risk: 'high' } : known;
    return { reason: 'git can run what the project’s configuration names', risk: 'low' };
  }
  if (INTERPRETERS.test(name)) return { reason: `${name} runs a program`, risk: 'medium' };
  const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
  if (known === undefined) return { reason: `Deepdesk does not know what ${name} does`, risk: 'medium' };
  if (
    name === 'curl' &&
    values.some((value) => /^(-[a-zA-Z]*[TdF]|--upload-file|--data.*|--form)$/.test(value))
  )
    return { reason: 'it sends something to the network', risk: 'high' };
  return known;
}
