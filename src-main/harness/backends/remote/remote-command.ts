import { quote, quotePath } from '../sandbox/sandbox-scripts';

/** Seconds that a command has to exit after it was asked to. */
const GRACE_SECONDS = 1;

/**
 * A descriptor that everything below a command inherits. With it, a process is found that has cleared its environment and left
 * the session, as `env -i setsid` does.
 */
const INHERITED = 8;

/** Shell text of `held`, which prints the processes whose inherited descriptor leads to what its argument says. */
const HELD = `held() {
  ls -l /proc/[0-9]*/fd/${INHERITED} | grep -F -- "$1" | sed -n 's|.* /proc/\\([0-9]*\\)/fd/${INHERITED} .*|\\1|p'
} 2>/dev/null`;

/**
 * The command in a session of its own on the other side. Our input is its lifeline: when it ends, because we stop or the
 * connection breaks, everything that the command has started is ended. On Linux that includes what has left the session.
 * Status 255 means `ssh` itself, so the command's becomes 254.
 */
export function guardedCommand(command: string, mark: string): string {
  const named = `DEEPDESK_SSH_MARK=${mark}`;
  const run = `sh -c "$k" </dev/null 3<&- 2>&1 &`;
  return `exec 3<&0 ${INHERITED}<&0
k=${quote(command)}
m=$(readlink /proc/$$/fd/${INHERITED} 2>/dev/null)
case $m in pipe:*|socket:*) ;; *) m= ;; esac
${HELD}
if command -v setsid >/dev/null 2>&1; then ${named} setsid ${run}
elif command -v perl >/dev/null 2>&1; then ${named} perl -e "setpgrp; exec @ARGV" ${run}
else ${named} ${run}
fi
c=$!
exec ${INHERITED}<&-
left() {
  kill -s "$1" -- "-$c" || kill -s "$1" "$c"
  [ -z "$m" ] || for p in $(held "-> $m"); do kill -s "$1" "$p"; done
  for p in /proc/[0-9]*; do
    grep -qs ${named} "$p/environ" && kill -s "$1" "\${p#/proc/}"
  done
} 2>/dev/null
(cat <&3; trap "" TERM; left TERM; sleep ${GRACE_SECONDS}; left KILL) >/dev/null 2>&1 &
w=$!
exec 3<&-
wait $c; s=$?
kill "$w" 2>/dev/null
kill -s KILL -- "-$c" 2>/dev/null
[ $s = 255 ] && s=254
exit $s`;
}

/** What no command may wait for, and the texts of programs as a terminal shows them. */
const DEFAULTS =
  'PAGER=cat GIT_PAGER=cat MANPAGER=cat SYSTEMD_PAGER=cat EDITOR=true VISUAL=true GIT_EDITOR=true GIT_MERGE_AUTOEDIT=no';

/**
 * Shell text that ends every process with the mark, and those of a group, and the group last: whoever runs it may be one
 * of them.
 */
const ending = (mark: string) => `${HELD}
left() {
  for p in $(held ${quote(`/${mark} (deleted)`)}); do kill -s "$1" "$p" && any=1; done
  for p in /proc/[0-9]*; do
    grep -qs DEEPDESK_SSH_MARK=${mark} "$p/environ" && kill -s "$1" "\${p#/proc/}" && any=1
  done
  [ -z "$2" ] || kill -s "$1" -- "-$2"
} 2>/dev/null`;

/**
 * The command in a terminal of the other side. A guard outlives its shell for a moment: it holds one end of a pipe whose
 * other end only that shell has, so when the shell ends, even because the connection broke, the guard ends everything that
 * the command has started.
 */
export function terminalCommand(
  command: string,
  { root, mark, stdin }: { root: string; mark: string; stdin: 'person' | 'closed' },
): string {
  const run = `sh -c ${quote(`if command -v bash >/dev/null 2>&1; then exec bash -c "$0"; else exec sh -c "$0"; fi`)}`;
  return `cd ${quote(root)} || exit 1
${ending(mark)}
exec 7</dev/null
d=$(mktemp -d) && mkfifo "$d/${mark}" && {
  (trap "" HUP INT QUIT TERM; cat <"$d/${mark}"; left TERM; sleep ${GRACE_SECONDS}; left KILL $$) >/dev/null 2>&1 </dev/null &
  exec 9>"$d/${mark}" 7<"$d/${mark}"
}
rm -rf "$d"
trap : INT QUIT
export DEEPDESK_SSH_MARK=${mark} ${DEFAULTS}
${run} ${quote(command)} 9>&- ${INHERITED}<&7 7<&-${stdin === 'closed' ? ' </dev/null' : ''}
s=$?
[ $s = 255 ] && s=254
exit $s`;
}

/** The person's own shell in a terminal of the other side, in `folder`, or in `root` if that is gone. */
export const shellCommand = ({
  root,
  folder,
  mark,
}: {
  root: string;
  folder: string;
  mark: string;
}): string =>
  `cd ${quotePath(folder)} 2>/dev/null || cd ${quote(root)} || exit 1
export DEEPDESK_SSH_MARK=${mark}
s=$SHELL; [ -x "$s" ] || s=$(command -v bash || command -v sh)
exec "$s" -l`;

/**
 * Tells the session of a person's shell that its terminal is gone, over another channel: the engines of containers do not. What
 * is meant to stay ignores it, as below `nohup`, or has a session of its own, as below `tmux` and `setsid`. Its shells have
 * terminals, too, but none that was started from outside. Fields of `stat` after the name: proc_pid_stat(5).
 */
export const hangUpOf = (mark: string): string =>
  `marked() { grep -qs DEEPDESK_SSH_MARK=${mark} "/proc/$1/environ"; }
fields() { s=$(cat "/proc/$1/stat") && s=\${s##*) }; }
sessions=' '
for p in /proc/[0-9]*; do
  p=\${p#/proc/}; marked "$p" && fields "$p" || continue
  set -- $s
  [ "$4" = "$p" ] && [ "$5" != 0 ] && ! marked "$2" && sessions="$sessions$4 "
done 2>/dev/null
for p in /proc/[0-9]*; do
  p=\${p#/proc/}; marked "$p" && fields "$p" || continue
  set -- $s
  case $sessions in *" $4 "*) kill -s HUP "$p" ;; esac
done 2>/dev/null; :`;

/** Prints `/proc`'s `stat` of every process that a person's shell started, over another channel. */
export const processesOf = (mark: string): string => `for p in /proc/[0-9]*; do
  grep -qs DEEPDESK_SSH_MARK=${mark} "$p/environ" && cat "$p/stat"
done 2>/dev/null; :`;

/** The names of the programs in such a shell, without the shell and without what has left it, as below `nohup` or `tmux`. */
export function programsIn(stats: string): string[] {
  const all = [...stats.matchAll(/^(\d+) \((.*)\) (.*)$/gm)].map(([, pid, name = '', rest = '']) => {
    const fields = rest.split(' ');
    return { pid, name, isGone: fields[0] === 'Z', parent: fields[1], startedAt: Number(fields[19]) };
  });
  const [shell] = all.toSorted((a, b) => a.startedAt - b.startedAt || Number(a.pid) - Number(b.pid));
  const inside = new Set(shell === undefined ? [] : [shell.pid]);
  for (let before = -1; before < inside.size; ) {
    before = inside.size;
    for (const { pid, parent } of all) if (inside.has(parent)) inside.add(pid);
  }
  return all
    .filter(({ pid, isGone }) => pid !== shell?.pid && inside.has(pid) && !isGone)
    .map(({ name }) => name);
}

/** Ends what a command left behind, over another channel. */
export const sweepOf = (mark: string): string => `${ending(mark)}
any=; left TERM
[ -z "$any" ] || { sleep 0.2; left KILL; }`;
