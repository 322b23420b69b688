import type { Approval } from '../../../contract/approvals';
import { because, type Reason, type ReasonCode, type ReasonValues } from '../../../contract/shared/reasons';
import type { ShellWord } from '../parsing/words';

type Risk = Approval['risk'];

/** A program's effect, as a reason without values. */
interface Known {
  reason: { [C in ReasonCode]: keyof ReasonValues[C] extends never ? C : never }[ReasonCode];
  risk: Risk;
}

/** Explains well-known programs to a person who has to decide. */
const KNOWN: Readonly<Record<string, Known>> = {
  cd: { reason: 'changes_directory', risk: 'low' },
  rm: { reason: 'deletes_files', risk: 'high' },
  rmdir: { reason: 'deletes_folders', risk: 'medium' },
  unlink: { reason: 'deletes_a_file', risk: 'high' },
  shred: { reason: 'destroys_files', risk: 'high' },
  truncate: { reason: 'empties_files', risk: 'high' },
  mv: { reason: 'moves_files', risk: 'medium' },
  cp: { reason: 'copies_files', risk: 'medium' },
  ln: { reason: 'creates_link', risk: 'medium' },
  mkdir: { reason: 'creates_folders', risk: 'low' },
  touch: { reason: 'creates_or_touches', risk: 'low' },
  tee: { reason: 'writes_files', risk: 'medium' },
  chmod: { reason: 'changes_permissions', risk: 'medium' },
  chown: { reason: 'changes_owner', risk: 'high' },
  kill: { reason: 'ends_programs', risk: 'medium' },
  pkill: { reason: 'ends_programs', risk: 'high' },
  killall: { reason: 'ends_programs', risk: 'high' },
  curl: { reason: 'uses_network', risk: 'medium' },
  wget: { reason: 'downloads', risk: 'medium' },
  ssh: { reason: 'runs_on_other_computer', risk: 'high' },
  scp: { reason: 'copies_to_other_computer', risk: 'high' },
  sftp: { reason: 'copies_to_other_computer', risk: 'high' },
  rsync: { reason: 'may_copy_to_other_computer', risk: 'high' },
  nc: { reason: 'uses_network', risk: 'high' },
  docker: { reason: 'controls_containers_and_files', risk: 'high' },
  podman: { reason: 'controls_containers', risk: 'high' },
  kubectl: { reason: 'controls_cluster', risk: 'high' },
  make: { reason: 'runs_makefile', risk: 'medium' },
  npm: { reason: 'runs_scripts', risk: 'medium' },
  pnpm: { reason: 'runs_scripts', risk: 'medium' },
  yarn: { reason: 'runs_scripts', risk: 'medium' },
  npx: { reason: 'downloads_and_runs', risk: 'high' },
  pip: { reason: 'installs_packages', risk: 'medium' },
  pip3: { reason: 'installs_packages', risk: 'medium' },
  env: { reason: 'shows_or_sets_variables', risk: 'medium' },
  printenv: { reason: 'shows_variables', risk: 'medium' },
  awk: { reason: 'program_can_write', risk: 'medium' },
  tar: { reason: 'packs_files', risk: 'medium' },
  dd: { reason: 'writes_bytes', risk: 'high' },
  less: { reason: 'waits_for_keys', risk: 'low' },
  vim: { reason: 'waits_for_keys', risk: 'medium' },
  crontab: { reason: 'shows_schedule', risk: 'low' },
  trap: { reason: 'runs_later', risk: 'medium' },
  alias: { reason: 'redefines_command', risk: 'medium' },
  source: { reason: 'runs_file', risk: 'medium' },
  '.': { reason: 'runs_file', risk: 'medium' },
};

const INTERPRETERS = /^(python[\d.]*|node|deno|bun|perl|ruby|php|lua|osascript|sh|bash|dash|zsh|ksh|fish)$/;

const GIT: Readonly<Record<string, Known>> = {
  push: { reason: 'sends_commits', risk: 'medium' },
  clean: { reason: 'deletes_untracked', risk: 'high' },
  reset: { reason: 'can_discard_changes', risk: 'medium' },
  checkout: { reason: 'can_discard_changes', risk: 'medium' },
  restore: { reason: 'discards_changes', risk: 'medium' },
  clone: { reason: 'downloads_repository', risk: 'medium' },
};

/** Why a command needs approval, and its risk. */
export function reasonFor(
  name: string,
  words: readonly ShellWord[],
): { reason: Reason; risk: Risk; isUnknown?: true } {
  const values = words.map((word) => word.value);
  if (name === 'git') {
    const known = GIT[values.find((value) => !value.startsWith('-')) ?? ''];
    const forced = values.some((value) => value === '--force' || value === '-f' || value === '--hard');
    if (known === undefined) return { reason: because('git_configuration'), risk: 'low' };
    return { reason: because(known.reason), risk: forced ? 'high' : known.risk };
  }
  if (INTERPRETERS.test(name)) return { reason: because('runs_program', { name }), risk: 'medium' };
  const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
  if (known === undefined)
    return { reason: because('unknown_program', { name }), risk: 'medium', isUnknown: true };
  const uploads = /^(-[a-zA-Z]*[TdF]|--upload-file|--data.*|--form)$/;
  if (name === 'curl' && values.some((value) => uploads.test(value)))
    return { reason: because('sends_to_network'), risk: 'high' };
  return { reason: because(known.reason), risk: known.risk };
}
