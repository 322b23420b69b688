/**
 * The program that answers the questions of `ssh`. For each jump host, `ssh` runs once more and asks with the same program;
 * only the process with our control socket in its command line is for the host itself. Jump hosts get no secret but the
 * passphrase of a key, which stays here, and their keys are not accepted: `ssh` would add them to the person's known hosts,
 * and an accepted one could pass for the host's. What they ask is written down, because `ssh` hides why they fail. So is the
 * unknown key of the host. An accepted one is compared by `ssh` itself.
 */
export const ASKPASS = `#!/bin/sh
asker() {
  if [ -r "/proc/$PPID/cmdline" ]; then tr '\\0' ' ' <"/proc/$PPID/cmdline"; else ps -ww -o args= -p "$PPID"; fi
}
isHost=
case "$(asker)" in *"ControlPath=$DEEPDESK_SSH_SOCKET "*) isHost=1;; esac
note() { printf '%s: %s\\n' "$1" "$(printf %s "$2" | tr '\\n\\r' '  ')" >>"$DEEPDESK_SSH_ASKED"; }
secret() {
  [ -n "$DEEPDESK_SSH_SECRET" ] || exit 1
  printf '%s\\n' "$DEEPDESK_SSH_SECRET"
  exit 0
}
case "$1" in
*fingerprint*)
  if [ -z "$isHost" ]; then note 'jump key' "$1"; echo no; exit 0; fi
  note 'key' "$1"
  for key in $DEEPDESK_SSH_KEYS; do
    case "$1" in *"$key"*) echo "$key"; exit 0;; esac
  done
  echo no;;
"Enter passphrase for key '"*"': ") secret;;
*assword*|*assphrase*)
  [ -z "$isHost" ] || secret
  note 'jump secret' "$1"
  exit 1;;
*) exit 1;;
esac
`;

/** A question of `ssh` that nobody has answered. */
export type Asked =
  | { of: 'host'; fingerprint: string }
  | { of: 'jump'; jumpHost: string; fingerprint: string }
  | { of: 'jump'; question: string };

/** Of a question that is shown: a jump host may word it. */
const MAX_SHOWN = 200;

/** The last question that was written down; null if there was none. */
export function lastAsked(asked: string): Asked | null {
  const [, kind, question = ''] =
    /^(key|jump key|jump secret): (.*)$/.exec(asked.trimEnd().split('\n').at(-1) ?? '') ?? [];
  if (kind === undefined) return null;
  if (kind === 'jump secret') {
    const shown = question.replace(/[\p{C}\s]+/gu, ' ').trim();
    return { of: 'jump', question: shown.slice(0, MAX_SHOWN) };
  }
  const fingerprint = /key fingerprint is (SHA256:[A-Za-z0-9+/=]+)/.exec(question)?.[1];
  if (fingerprint === undefined) return null;
  if (kind === 'key') return { of: 'host', fingerprint };
  return { of: 'jump', jumpHost: /host '([^' ]+)/.exec(question)?.[1] ?? '', fingerprint };
}
