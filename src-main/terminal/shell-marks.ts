import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Program } from './pty';

/** A shell of the person that says where each of its commands begins and ends, and how it ended. */
export interface MarkedShell {
  program: Program;
  /** Is part of each mark, so that text that looks like one is none. */
  mark: string;
  /** Takes away what was made for it outside of the person's home. Call when the shell has ended. */
  remove(): void;
}

/**
 * Makes bash print marks (OSC 133: A and B around its prompt, C before a command's output, D with its exit code, times
 * in seconds since 1970). Its own files are read first, as without marks. Null for other programs, and where nothing can
 * be written for it: the shell then runs as it is.
 */
export function markShell({ file, args }: Program): MarkedShell | null {
  const isLogin = args.length === 1 && args[0] === '-l';
  if (basename(file) !== 'bash' || !(isLogin || args.length === 0)) return null;
  const mark = randomUUID();
  let folder: string;
  try {
    folder = mkdtempSync(join(tmpdir(), 'deepdesk-shell-'));
    writeFileSync(join(folder, 'bashrc'), bashText(mark, isLogin), { mode: 0o600 });
  } catch {
    // No room for temporary files is no reason to give the person no shell.
    return null;
  }
  return {
    program: { file, args: ['--rcfile', join(folder, 'bashrc')] },
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
