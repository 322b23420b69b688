/**
 * The program that answers the questions of `ssh`. Host keys are accepted by their fingerprint only, which `ssh` compares
 * itself; unknown ones are written down for the person. Everything else that is asked gets the secret, if there is one.
 */
export const ASKPASS = `#!/bin/sh
case "$1" in
*fingerprint*)
  printf '%s\\n' "$1" >>"$DEEPDESK_SSH_ASKED"
  for key in $DEEPDESK_SSH_KEYS; do
    case "$1" in *"$key"*) echo "$key"; exit 0;; esac
  done
  echo no;;
*assword*|*assphrase*)
  [ -n "$DEEPDESK_SSH_SECRET" ] || exit 1
  printf '%s\\n' "$DEEPDESK_SSH_SECRET";;
*) exit 1;;
esac
`;

/** The fingerprint in the last question about a host's key; null if none was asked. */
export function askedFingerprint(asked: string): string | null {
  return [...asked.matchAll(/key fingerprint is (SHA256:[A-Za-z0-9+/=]+)/g)].at(-1)?.[1] ?? null;
}
