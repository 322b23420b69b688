import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Program } from './pty/pty';

/** A person's shell that reports where each command starts and ends, and its exit code. */
export interface MarkedShell {
  program: Program;
  /** Added to its environment. The shell removes it before it reads the person's startup files. */
  env: Record<string, string>;
  /** Part of each mark, so that text that looks like a mark is not treated as one. */
  mark: string;
}

/** What marked shells read first: a file for bash, another file for bash as a login shell, a folder for zsh. */
export interface ShellFiles {
  bash: string;
  bashLogin: string;
  zsh: string;
}

/**
 * Writes the files that `markShell` needs. They are the same for every shell, so once per run is enough. Rejects if nothing
 * can be written.
 */
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
 * times in seconds since 1970). zsh sends the command with C, because its prompt may have a part on the right. The shells
 * read their usual startup files. Null for other programs, which run unchanged. `env`: the environment of the shell.
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

/** Variables that pass a shell the values that are not in the files. */
const MARK = 'DEEPDESK_SHELL_MARK';
const OWN_FOLDER = 'DEEPDESK_SHELL_ZDOTDIR';

/** A login shell reads no file named on its command line, so this file sources what a login shell would read. */
const LOGIN = `[ -r /etc/profile ] && . /etc/profile
for __deepdesk_file in ~/.bash_profile ~/.bash_login ~/.profile; do
  [ -r "$__deepdesk_file" ] && { . "$__deepdesk_file"; break; }
done
unset __deepdesk_file`;
const USUAL = '[ -r ~/.bashrc ] && . ~/.bashrc';

/**
 * The shell prints PS0 before a command runs, from bash 4.4 on. PS0 also sets a variable, because Enter on an empty line
 * runs no command that could end. The person's prompt command sees the command's exit code and may create a new prompt each
 * time, so the mark is added to its end again.
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
 * The first file that zsh reads resets the folder for the person's startup files and leaves only functions that zsh calls
 * around each command. Other functions may create a new prompt, so the function that marks it moves itself to the end.
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
