import { quote } from '../sandbox-scripts';

/** Seconds that a command has to exit after it was asked to. */
const GRACE_SECONDS = 1;

/**
 * The command in a session of its own on the other side. Our input is its lifeline: when it ends, because we stop or the
 * connection breaks, everything that the command has started is ended. On Linux that includes what has left the session.
 * Status 255 means `ssh` itself, so the command's becomes 254.
 */
export function guardedCommand(command: string, mark: string): string {
  const named = `DEEPDESK_SSH_MARK=${mark}`;
  const run = `sh -c ${quote(command)} </dev/null 3<&- 2>&1 &`;
  return `exec sh -c ${quote(`exec 3<&0
if command -v setsid >/dev/null 2>&1; then ${named} setsid ${run}
elif command -v perl >/dev/null 2>&1; then ${named} perl -e "setpgrp; exec @ARGV" ${run}
else ${named} ${run}
fi
c=$!
left() {
  kill -s "$1" -- "-$c" || kill -s "$1" "$c"
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
exit $s`)}`;
}
