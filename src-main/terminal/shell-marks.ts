import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Program } from './pty';

/** A shell of the person that says where each of its commands begins and ends, and how it ended. */
export interface MarkedShell {
  program: Program;
  /** What is set in its environment for that; the shell takes it away again before the person's own files are read. */
  env: Record<string, string>;
  /** Is part of each mark, so that text that looks like one is none. */
  mark: string;
}

/** What marked shells read first: for bash a file, for bash as a login shell another, for zsh a folder. */
export interface ShellFiles {
  bash: string;
  bashLogin: string;
  zsh: string;
}

/** Writes what `markShell` needs into a folder of its own; the same for every shell, so once a run is enough. Rejects where nothing can be written. */
export async function writeShellFiles(folder: string): Promise<ShellFiles> {
  const files: ShellFiles = {
    bash: join(folder, 'bashrc'),
    bashLogin: join(folder, 'bash-login'),
    zsh: join(folder, 'zsh'),
  };
  await mkdir(files.zsh, { recursive: true, mode: 0o700 });
  const write = (file: string, text: string) => writeFile(file, text, { mode: 0o600 });
  await Promise.all([
    write(files.bash, bashText(false)),
    write(files.bashLogin, bashText(true)),
    write(join(files.zsh, '.zshenv'), ZSH),
  ]);
  return files;
}

/**
 * Makes bash and zsh print marks (OSC 133: A and B around the prompt, C before a command's output, D with its exit code,
 * times in seconds since 1970; zsh, whose prompt may have a part on the right, tells the command with C). Their own files
 * are read as without marks. Null for other programs: they run as they are. `env`: what it will be started with.
 */
export function markShell(
  { file, args }: Program,
  env: Readonly<Record<string, string>>,
  files: ShellFiles,
): MarkedShell | null {
  const isLogin = args.length === 1 && args[0] === '-l';
  const name = basename(file);
  if (!(isLogin || args.length === 0)) return null;
  const mark = randomUUID();
  if (name === 'bash') {
    const read = isLogin ? files.bashLogin : files.bash;
    return { program: { file, args: ['--rcfile', read] }, env: { [MARK]: mark }, mark };
  }
  if (name !== 'zsh') return null;
  const own: Record<string, string> = env.ZDOTDIR === undefined ? {} : { [OWN_FOLDER]: env.ZDOTDIR };
  return { program: { file, args }, env: { [MARK]: mark, ...own, ZDOTDIR: files.zsh }, mark };
}

/** Variables by which a shell is handed what is not in the files. */
const MARK = 'DEEPDESK_SHELL_MARK';
const OWN_FOLDER = 'DEEPDESK_SHELL_ZDOTDIR';

/** A login shell reads no file that is named to it, so what it would read is read here. */
const LOGIN = `[ -r /etc/profile ] && . /etc/profile
for __deepdesk_file in ~/.bash_profile ~/.bash_login ~/.profile; do
  [ -r "$__deepdesk_file" ] && { . "$__deepdesk_file"; break; }
done
unset __deepdesk_file`;
const USUAL = '[ -r ~/.bashrc ] && . ~/.bashrc';

/**
 * PS0, which is printed before a command runs, is there from bash 4.4 on. It sets a variable on its way, since Enter on
 * an empty line runs nothing that could end. Whatever the person's own prompt command is sees the command's exit code,
 * and may make a new prompt each time: the mark at its end is put there again.
 */
const bashText = (isLogin: boolean) => `__deepdesk_mark=$${MARK}
unset ${MARK}
${isLogin ? LOGIN : USUAL}
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)) && shopt -q promptvars; then
  __deepdesk_ran=
  __deepdesk_code=0
  __deepdesk_ended() {
    __deepdesk_code=$?
    if [ -n "$__deepdesk_ran" ]; then
      printf '\\033]133;D;%s;%s;%s\\007' "$__deepdesk_mark" "$__deepdesk_code" "\${EPOCHREALTIME-}"
      __deepdesk_ran=
    fi
    return $__deepdesk_code
  }
  __deepdesk_prompt() {
    printf '\\033]133;A;%s\\007' "$__deepdesk_mark"
    case $PS1 in
      *"133;B;$__deepdesk_mark"*) ;;
      *) PS1=$PS1"\\\\[\\\\e]133;B;$__deepdesk_mark\\\\a\\\\]" ;;
    esac
    return $__deepdesk_code
  }
  PS0=\${PS0-}'\${__deepdesk_mark:$((__deepdesk_ran=1,0)):0}\\e]133;C;\${__deepdesk_mark};\${EPOCHREALTIME-}\\a'
  if [[ \${PROMPT_COMMAND@a} == *a* ]]; then
    PROMPT_COMMAND=(__deepdesk_ended "\${PROMPT_COMMAND[@]}" __deepdesk_prompt)
  else
    PROMPT_COMMAND="__deepdesk_ended\${PROMPT_COMMAND:+
$PROMPT_COMMAND}
__deepdesk_prompt"
  fi
fi
`;

/**
 * The first file that zsh reads gives its folder back to the person's own files, and leaves only functions that are
 * called around each command. Other functions may make a new prompt, so the one that marks it puts itself last.
 */
const ZSH = `typeset -g __deepdesk_mark=$${MARK}
if [[ -n \${${OWN_FOLDER}+set} ]]; then ZDOTDIR=$${OWN_FOLDER}; else unset ZDOTDIR; fi
unset ${MARK} ${OWN_FOLDER}
[[ -r \${ZDOTDIR:-$HOME}/.zshenv ]] && . "\${ZDOTDIR:-$HOME}/.zshenv"
if [[ -o interactive ]]; then
  zmodload zsh/datetime 2>/dev/null
  typeset -g __deepdesk_ran=
  __deepdesk_begin() {
    emulate -L zsh
    local line=\${1:-$3}
    line=\${line//\\%/%25}
    line=\${line//;/%3B}
    line=\${line//$'\\n'/%0A}
    line=\${line//$'\\t'/%09}
    __deepdesk_ran=1
    printf '\\033]133;C;%s;%s;%s\\007' "$__deepdesk_mark" "\${EPOCHREALTIME-}" "\${line//[[:cntrl:]]/}"
  }
  __deepdesk_ended() {
    local code=$?
    emulate -L zsh
    if [[ -n $__deepdesk_ran ]]; then
      printf '\\033]133;D;%s;%s;%s\\007' "$__deepdesk_mark" "$code" "\${EPOCHREALTIME-}"
      __deepdesk_ran=
    fi
    if [[ $precmd_functions[-1] != __deepdesk_prompt ]]; then
      precmd_functions=(\${precmd_functions:#__deepdesk_prompt} __deepdesk_prompt)
    fi
    return $code
  }
  __deepdesk_prompt() {
    [[ -o promptpercent ]] || return 0
    emulate -L zsh
    printf '\\033]133;A;%s\\007' "$__deepdesk_mark"
    [[ $PS1 == *"133;B;$__deepdesk_mark"* ]] || PS1+=$'%{\\e]133;B;'$__deepdesk_mark$'\\a%}'
  }
  typeset -ga preexec_functions precmd_functions
  preexec_functions+=(__deepdesk_begin)
  precmd_functions=(__deepdesk_ended $precmd_functions __deepdesk_prompt)
fi
`;
