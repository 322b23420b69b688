import { isBuildFile, isObeyed } from '../base/protected-paths';
import { isSecretPath } from '../base/secret-paths';
import type { RuleDraft, RuleMatch } from '../contract/control';
import type { ToolDisplay } from '../contract/shared/tool-display';
import { displayOf } from '../harness/tools/catalogue';
import { reasonFor } from './bash/reasons';
import { SHELLS } from './bash/wrappers';

/** Programs that run what they are given, or what is in a file that the agent can change. */
const RUNNERS =
  /^(python[\d.]*|node|deno|bun|bunx|perl|ruby|php|lua|osascript|awk|gawk|mawk|npx|pnpx|yarnpkg|uvx|pipx|env|xargs|find|parallel|watch|time|nice|ionice|nohup|setsid|stdbuf|timeout|command|builtin|exec|eval|source|\.|busybox|script|strace|ltrace|gdb|vi|vim|nvim|emacs|ed|less|more|man|tmux|screen|expect|sed|tar|zip|rsync|at|batch|crontab|systemctl|systemd-run|chroot|unshare|nsenter|flock|entr|tclsh|make|cmake|ninja|just|rake|gradle|mvn|ansible.*|terraform|vagrant)$/;

/** Programs that act as somebody else, elsewhere, or on what is not the folder's. */
const ALWAYS_ASKED =
  /^(sudo|doas|su|pkexec|ssh|scp|sftp|nc|ncat|netcat|socat|telnet|ftp|curl|wget|aria2c|docker|podman|kubectl|helm|aws|gcloud|az|apt|apt-get|dnf|yum|pacman|brew|snap|flatpak|pip|pip3|gem|conda|kill|pkill|killall|rm|rmdir|unlink|shred|truncate|dd|mv|cp|ln|install|tee|chmod|chown|chgrp|mount|umount|iptables|nft|passwd|useradd|usermod|gpg|openssl|base64|printenv|set|export|alias|trap)$/;

/** Programs that do very different things by their first word. */
const BY_SUBCOMMAND: Readonly<Record<string, { safe: RegExp; unsafe: string }>> = {
  git: {
    safe: /^(status|diff|log|show|blame|branch|tag|add|commit|stash|fetch|rev-parse|describe|ls-files|shortlog)$/,
    unsafe: 'can discard work, send it away, or run what the project’s configuration names',
  },
  npm: { safe: /^(test|t|run|run-script|ls|outdated|audit|ci)$/, unsafe: 'can run code of any package' },
  pnpm: { safe: /^(test|run|list|outdated|audit)$/, unsafe: 'can run code of any package' },
  yarn: { safe: /^(test|run|list|outdated)$/, unsafe: 'can run code of any package' },
  cargo: { safe: /^(build|check|test|clippy|fmt|doc|tree)$/, unsafe: 'can install, publish or run programs' },
  go: { safe: /^(build|test|vet|fmt|list|version)$/, unsafe: 'can run any program' },
  dotnet: { safe: /^(build|test|format)$/, unsafe: 'can install, publish or run programs' },
  uv: { safe: /^(sync|lock|tree)$/, unsafe: 'can run any program' },
  poetry: { safe: /^(check|show|lock)$/, unsafe: 'can run any program' },
  gh: { safe: /^$/, unsafe: 'acts for you on another computer' },
};
/** Where the next word names what is run. */
const NAMES_A_SCRIPT = new Set(['run', 'run-script']);

/** Programs that check or format and whose arguments are files. */
const CHECKERS =
  /^(tsc|eslint|prettier|biome|vitest|jest|mocha|pytest|mypy|pyright|ruff|black|flake8|pylint|stylelint|shellcheck|rustfmt|gofmt|clang-format|rubocop|phpunit|mkdir|touch|ls|cat|head|tail|wc|grep|rg|stat|file|du|df|jq|yq|sort|uniq|cut|diff|tree|which|date|uname|whoami|pwd|echo|printf|true|false|test|seq|basename|dirname|realpath|readlink)$/;

/** Tools that have rules of their own kind, or that are never let run as such. */
const OWN_TOOLS: Partial<Readonly<Record<ToolDisplay, string>>> = {
  command: 'It would let every command run. Make a rule for one command.',
  write: 'It would let the agent write every file. Make a rule for a path.',
  edit: 'It would let the agent change every file. Make a rule for a path.',
  delete: 'What is deleted is gone. Deleting is asked about each time.',
};

/** Why there can be no such rule, as a sentence; null where there can. What forbids may be as broad as the person likes. */
export function whyRefused({ effect, match }: RuleDraft): string | null {
  if (effect === 'deny') return null;
  switch (match.kind) {
    case 'command':
      return whyNotCommand(match);
    case 'path':
      return whyNotPath(match);
    case 'tool': {
      const display = displayOf(match.tool);
      return display === undefined ? null : (OWN_TOOLS[display] ?? null);
    }
    case 'host':
      return whyNotHost(match.host);
    default:
      return match satisfies never;
  }
}

/** Names under which anybody can put something up: what is sent there is sent to anybody. */
const ANYBODYS =
  /^\*\.(com|org|net|io|dev|app|co\.uk|github\.io|githubusercontent\.com|amazonaws\.com|vercel\.app|netlify\.app|pages\.dev|workers\.dev|herokuapp\.com|ngrok\.io|ngrok-free\.app|cloudfront\.net|azurewebsites\.net|web\.app|blogspot\.com)$/i;

function whyNotHost(host: string): string | null {
  if (!/^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*(:\d{1,5})?$/i.test(host))
    return 'It is no name of a host, such as example.com, *.example.com or localhost:8080.';
  const name = host.replace(/:\d+$/, '');
  if (ANYBODYS.test(name) || /^\*\.[^.]+$/.test(name))
    return 'It would cover hosts that belong to anybody. Name one host.';
  return null;
}

function whyNotCommand({ words, exact }: Extract<RuleMatch, { kind: 'command' }>): string | null {
  const [name = '', second, third] = words;
  if (!/^[\w.+-]+$/.test(name))
    return `${JSON.stringify(name)} is no plain name of a program. A rule begins with one.`;
  const { reason } = reasonFor(name, []);
  if (SHELLS.has(name) || RUNNERS.test(name))
    return `${name} runs whatever it is given, so the rule would let anything run.`;
  if (ALWAYS_ASKED.test(name)) return `${name} is asked about each time: ${reason}.`;
  const known = Object.hasOwn(BY_SUBCOMMAND, name) ? BY_SUBCOMMAND[name] : undefined;
  if (known !== undefined) {
    if (second === undefined) return `${name} alone covers everything that ${name} can do. Say which of it.`;
    if (second.startsWith('-'))
      return `${name} ${second} can change what ${name} runs. A rule names what it does first.`;
    if (!known.safe.test(second)) return `${name} ${second} ${known.unsafe}.`;
    if (NAMES_A_SCRIPT.has(second) && (third === undefined || third.startsWith('-')))
      return `${name} ${second} alone covers every script. Say which.`;
    if (name === 'npm' && second === 'ci' && !exact)
      return 'npm ci runs code of packages. Allow exactly this command.';
    return null;
  }
  if (exact || CHECKERS.test(name)) return null;
  return words.length === 1
    ? `Deepdesk does not know what ${name} can do. Allow exactly one command, or name more of its words.`
    : second?.startsWith('-') === true
      ? `${name} ${second} may be followed by anything. Allow exactly one command.`
      : null;
}

function whyNotPath({ changes, glob }: Extract<RuleMatch, { kind: 'path' }>): string | null {
  if (changes.includes('delete')) return OWN_TOOLS.delete ?? null;
  const names = glob.replace(/^\.?\/+/, '').split('/');
  if (names.includes('..') || /^[~/]/.test(glob) || glob.includes('\\'))
    return 'A path begins in the project folder and stays there.';
  const [first = ''] = names;
  if (/^[*?]+$/.test(first) && !/^\*\.\w|^\*\*?\/.*\.\w/.test(glob))
    return 'It would cover the whole folder. Name a folder, or a kind of files.';
  const last = names.at(-1) ?? '';
  if (
    coversProtected(glob) ||
    (/^\*\.(sh|bash|zsh|py|rb|pl|ps1|bat|cmd|json|ya?ml|toml)$/i.test(last) && /^[*]/.test(first))
  )
    return 'It would cover files that other programs run or obey, or that hold secrets.';
  return null;
}

/** A rule that covers what decides what runs, or holds secrets, would let the agent run or read anything later. */
function coversProtected(glob: string): boolean {
  // `.env*` and `*.pem` as the shortest names that they match.
  const shortest = glob.replace(/[*?]+/g, '');
  return [glob, shortest].some(
    (path) =>
      isObeyed(path) || isBuildFile(path) || isSecretPath(path) || path.split('/').includes('node_modules'),
  );
}
