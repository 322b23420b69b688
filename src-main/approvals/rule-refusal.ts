import { isBuildFile, isObeyed } from '../base/protected-paths';
import { isSecretPath } from '../base/secret-paths';
import type { RuleDraft, RuleMatch } from '../contract/control';
import { because, type Reason, type ReasonCode } from '../contract/shared/reasons';
import type { ToolDisplay } from '../contract/shared/tool-display';
import { displayOf } from '../harness/tools/catalogue';
import { SHELLS } from './bash/parsing/wrappers';
import { reasonFor } from './bash/verdict/reasons';

/** Programs that run their arguments, or a file that the agent can change. */
const RUNNERS =
  /^(python[\d.]*|node|deno|bun|bunx|perl|ruby|php|lua|osascript|awk|gawk|mawk|npx|pnpx|yarnpkg|uvx|pipx|env|xargs|find|parallel|watch|time|nice|ionice|nohup|setsid|stdbuf|timeout|command|builtin|exec|eval|source|\.|busybox|script|strace|ltrace|gdb|vi|vim|nvim|emacs|ed|less|more|man|tmux|screen|expect|sed|tar|zip|rsync|at|batch|crontab|systemctl|systemd-run|chroot|unshare|nsenter|flock|entr|tclsh|make|cmake|ninja|just|rake|gradle|mvn|ansible.*|terraform|vagrant)$/;

/** Programs that act as another user, on another machine, or on things outside the folder. */
const ALWAYS_ASKED =
  /^(sudo|doas|su|pkexec|ssh|scp|sftp|nc|ncat|netcat|socat|telnet|ftp|curl|wget|aria2c|docker|podman|kubectl|helm|aws|gcloud|az|apt|apt-get|dnf|yum|pacman|brew|snap|flatpak|pip|pip3|gem|conda|kill|pkill|killall|rm|rmdir|unlink|shred|truncate|dd|mv|cp|ln|install|tee|chmod|chown|chgrp|mount|umount|iptables|nft|passwd|useradd|usermod|gpg|openssl|base64|printenv|set|export|alias|trap)$/;

/** Why a rule must not cover another subcommand of a program. */
type Unsafe = Extract<ReasonCode, `rule_unsafe_${string}`>;

/** Programs whose first word changes their effect entirely. */
const BY_SUBCOMMAND: Readonly<Record<string, { safe: RegExp; unsafe: Unsafe }>> = {
  git: {
    safe: /^(status|diff|log|show|blame|branch|tag|add|commit|stash|fetch|rev-parse|describe|ls-files|shortlog)$/,
    unsafe: 'rule_unsafe_git',
  },
  npm: { safe: /^(test|t|run|run-script|ls|outdated|audit|ci)$/, unsafe: 'rule_unsafe_package' },
  pnpm: { safe: /^(test|run|list|outdated|audit)$/, unsafe: 'rule_unsafe_package' },
  yarn: { safe: /^(test|run|list|outdated)$/, unsafe: 'rule_unsafe_package' },
  cargo: { safe: /^(build|check|test|clippy|fmt|doc|tree)$/, unsafe: 'rule_unsafe_publish' },
  go: { safe: /^(build|test|vet|fmt|list|version)$/, unsafe: 'rule_unsafe_program' },
  dotnet: { safe: /^(build|test|format)$/, unsafe: 'rule_unsafe_publish' },
  uv: { safe: /^(sync|lock|tree)$/, unsafe: 'rule_unsafe_program' },
  poetry: { safe: /^(check|show|lock)$/, unsafe: 'rule_unsafe_program' },
  gh: { safe: /^$/, unsafe: 'rule_unsafe_account' },
};
/** Subcommands whose next word names the script to run. */
const NAMES_A_SCRIPT = new Set(['run', 'run-script']);

/** Programs that check or format the files in their arguments. */
const CHECKERS =
  /^(tsc|eslint|prettier|biome|vitest|jest|mocha|pytest|mypy|pyright|ruff|black|flake8|pylint|stylelint|shellcheck|rustfmt|gofmt|clang-format|rubocop|phpunit|mkdir|touch|ls|cat|head|tail|wc|grep|rg|stat|file|du|df|jq|yq|sort|uniq|cut|diff|tree|which|date|uname|whoami|pwd|echo|printf|true|false|test|seq|basename|dirname|realpath|readlink)$/;

/** Tools that have their own kind of rule, or that are never allowed as a whole. */
const OWN_TOOLS: Partial<Readonly<Record<ToolDisplay, Reason>>> = {
  command: because('rule_every_command'),
  write: because('rule_every_write'),
  edit: because('rule_every_change'),
  delete: because('rule_deletes'),
  fetch: because('rule_every_host'),
};

/** Why a rule is refused; null if it is acceptable. A deny rule may be as broad as the person likes. */
export function whyRefused({ effect, match }: RuleDraft): Reason | null {
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
    case 'web':
      return whyNotHost(match.host);
    default:
      return match satisfies never;
  }
}

/** Names under which anybody can publish: data sent there may reach anyone. */
const ANYBODYS =
  /^\*\.(com|org|net|io|dev|app|co\.uk|github\.io|githubusercontent\.com|amazonaws\.com|vercel\.app|netlify\.app|pages\.dev|workers\.dev|herokuapp\.com|ngrok\.io|ngrok-free\.app|cloudfront\.net|azurewebsites\.net|web\.app|blogspot\.com)$/i;

function whyNotHost(host: string): Reason | null {
  if (!/^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*(:\d{1,5})?$/i.test(host)) return because('rule_no_host');
  const name = host.replace(/:\d+$/, '');
  if (ANYBODYS.test(name) || /^\*\.[^.]+$/.test(name)) return because('rule_anybodys_hosts');
  return null;
}

function whyNotCommand({ words, exact }: Extract<RuleMatch, { kind: 'command' }>): Reason | null {
  const [name = '', second, third] = words;
  if (!/^[\w.+-]+$/.test(name)) return because('rule_no_program', { name: JSON.stringify(name) });
  const { reason } = reasonFor(name, []);
  const command = `${name} ${second}`;
  if (SHELLS.has(name) || RUNNERS.test(name)) return because('rule_runs_anything', { name });
  if (ALWAYS_ASKED.test(name)) return because('rule_always_asked', { name, why: reason });
  const known = Object.hasOwn(BY_SUBCOMMAND, name) ? BY_SUBCOMMAND[name] : undefined;
  if (known !== undefined) {
    if (second === undefined) return because('rule_program_alone', { name });
    if (second.startsWith('-')) return because('rule_option_first', { name, option: second });
    if (!known.safe.test(second)) return because(known.unsafe, { command });
    if (NAMES_A_SCRIPT.has(second) && (third === undefined || third.startsWith('-')))
      return because('rule_every_script', { command });
    if (name === 'npm' && second === 'ci' && !exact) return because('rule_npm_ci');
    return null;
  }
  if (exact || CHECKERS.test(name)) return null;
  return words.length === 1
    ? because('rule_unknown_program', { name })
    : second?.startsWith('-') === true
      ? because('rule_any_end', { command })
      : null;
}

function whyNotPath({ changes, glob }: Extract<RuleMatch, { kind: 'path' }>): Reason | null {
  if (changes.includes('delete')) return OWN_TOOLS.delete ?? null;
  const names = glob.replace(/^\.?\/+/, '').split('/');
  if (names.includes('..') || /^[~/]/.test(glob) || glob.includes('\\')) return because('rule_path_outside');
  const [first = ''] = names;
  if (/^[*?]+$/.test(first) && !/^\*\.\w|^\*\*?\/.*\.\w/.test(glob)) return because('rule_whole_folder');
  const last = names.at(-1) ?? '';
  if (
    coversProtected(glob) ||
    (/^\*\.(sh|bash|zsh|py|rb|pl|ps1|bat|cmd|json|ya?ml|toml)$/i.test(last) && /^[*]/.test(first))
  )
    return because('rule_protected_files');
  return null;
}

/** A rule for files that decide what runs, or that hold secrets, would let the agent run or read anything later. */
function coversProtected(glob: string): boolean {
  // The shortest names that `.env*` and `*.pem` match.
  const shortest = glob.replace(/[*?]+/g, '');
  return [glob, shortest].some(
    (path) =>
      isObeyed(path) || isBuildFile(path) || isSecretPath(path) || path.split('/').includes('node_modules'),
  );
}
