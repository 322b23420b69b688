import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Program } from './pty';

/** A shell of the person that says where each of its commands begins and ends, and how it ended. */
export interface MarkedShell {
  program: Program;
  /** What is set in its environment for that; the shell takes it away again before the person's own files are read. */
  env: Record<string, string>;
  /** Is part of each mark, so that text that looks like one is none. */
  mark: string;
  /** Takes away what was made for it outside of the person's home. Call when the shell has ended. */
  remove(): void;
}

/**
 * Makes bash and zsh print marks (OSC 133: A and B around the prompt, C before a command's output, D with its exit code,
 * times in seconds since 1970; zsh, whose prompt may have a part on the right, tells the command with C). Their own files
 * are read as without marks. Null for other programs, and where nothing can be written for it: the shell then runs as it
 * is. `env`: what it will be started with.
 */
export function markShell(
  { file, args }: Program,
  env: Readonly<Record<string, string>>,
): MarkedShell | null {
  const isLogin = args.length === 1 && args[0] === '-l';
  const name = basename(file);
  if (!(name === 'bash' || name === 'zsh') || !(isLogin || args.length === 0)) return null;
  const mark = randomUUID();
  let folder: string;
  try {
    folder = mkdtempSync(join(tmpdir(), 'deepdesk-shell-'));
    if (name === 'bash') writeFileSync(join(folder, 'bashrc'), bashText(mark, isLogin), { mode: 0o600 });
    else writeFileSync(join(folder, '.zshenv'), zshText(mark, env.ZDOTDIR), { mode: 0o600 });
  } catch {
    // No room for temporary files is no reason to give the person no shell.
    return null;
  }
  const isBash = name === 'bash';
  return {
    program: isBash ? { file, args: ['--rcfile', join(folder, 'bashrc')] } : { file, args },
    env: isBash ? {} : { ZDOTDIR: folder },
    mark,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

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
const bashText = (mark: string, isLogin: boolean) => `${isLogin ? LOGIN : USUAL}
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)) && shopt -q promptvars; then
  __deepdesk_mark=${mark}
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

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * The first file that zsh reads gives its folder back to the person's own files, and leaves only functions that are
 * called around each command. Other functions may make a new prompt, so the one that marks it puts itself last.
 */
const zshText = (mark: string, zdotdir: string | undefined) => `${
  zdotdir === undefined ? 'unset ZDOTDIR' : `ZDOTDIR=${quoted(zdotdir)}`
}
[[ -r \${ZDOTDIR:-$HOME}/.zshenv ]] && . "\${ZDOTDIR:-$HOME}/.zshenv"
if [[ -o interactive ]]; then
  zmodload zsh/datetime 2>/dev/null
  typeset -g __deepdesk_mark=${mark} __deepdesk_ran=
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
