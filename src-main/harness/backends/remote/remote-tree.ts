import { randomBytes } from 'node:crypto';
import { systemPath, textOfPath } from '../../../base/path-names';
import { existsFailure, type Failure, failure, isFailure, linkRefused } from '../failure';
import { type CheckedPath, checkFile } from '../paths';
import { refusal } from '../sandbox/sandbox-answers';
import { EXACTLY, lastWord, quote, quotePath } from '../sandbox/sandbox-scripts';
import { RemoteError } from './remote-transport';

/**
 * What the scripts below share. `inside` ends with an error if a folder, or the part of it that exists, is outside the root:
 * no link leads out. `place` moves without replacing anything.
 */
const preludeOf = (root: string): string => `${EXACTLY}r=${quotePath(root)}
say() { printf '\\n%s//\\n' "$1"; exit 0; }
taken() { [ -e "$1" ] || [ -L "$1" ]; }
inside() {
  u=$1; while ! taken "$u"; do u=\${u%/*}; [ -n "$u" ] || u=/; done
  q=$(cd -- "$u" 2>/dev/null && pwd -P && printf x) || say parent
  q=\${q%?x}; case "\${q%/}/" in "\${r%/}/"*) ;; *) say outside;; esac
}
folder() { inside "$1"; mkdir -p -- "$1" 2>/dev/null; [ -d "$1" ] || say parent; }
place() {
  taken "$2" && say exists
  if [ -f "$1" ] && [ ! -L "$1" ] && exactly ln '' "$1" "$2" 2>/dev/null; then rm -f -- "$1" || say failed
  else
    taken "$2" && say exists
    exactly mv -n "$1" "$2" 2>/dev/null
    if taken "$1"; then taken "$2" && say exists; say failed; fi
  fi
}
trash() {
  [ -n "$HOME" ] || say notrash
  if [ "$(uname)" = Darwin ]; then b=$HOME/.Trash; i=
  else b=\${XDG_DATA_HOME:-$HOME/.local/share}/Trash; i=$b/info; b=$b/files; fi
  (umask 077; mkdir -p -- "$b" "\${i:-$b}") 2>/dev/null && [ -w "$b" ] || say notrash
}
`;

/**
 * A person's actions on files of another machine, below a folder there. They follow no link out of it and replace nothing.
 * Deleted files go to the trash of that machine.
 */
export class RemoteTree {
  /** In its text form, as all paths here. */
  private readonly root: string;

  constructor(
    /** Runs a command there. Rejects with `RemoteError` without a connection. */
    private readonly run: (command: string) => Promise<{ output: string }>,
    /** Absolute, without links. */
    root: string,
  ) {
    this.root = textOfPath(root);
  }

  /** Errors: `conflict` if the name is taken. */
  create(path: string, kind: 'file' | 'directory'): Promise<Failure | null> {
    const make = kind === 'directory' ? 'mkdir -- "$t"' : '(set -C; : >"$t")';
    return this.ask(path, (_, target) => {
      const { folder, at } = target;
      return `t=${quotePath(at)}; folder ${quotePath(folder)}
taken "$t" && say exists
${make} 2>/dev/null || say failed
say done`;
    });
  }

  /** Renames or moves. Errors: `conflict` if the name is taken. */
  async move(from: string, to: string): Promise<Failure | null> {
    const target = checkFile(to);
    if (isFailure(target)) return target;
    const there = this.placeOf(target);
    return this.ask(
      from,
      (_, { folder, at }) => `f=${quotePath(at)}; t=${quotePath(there.at)}
inside ${quotePath(folder)}
taken "$f" || say missing
folder ${quotePath(there.folder)}
place "$f" "$t"
say done`,
      target,
    );
  }

  /** The name in the trash, for `restore`. */
  async trash(path: string): Promise<{ trashed: string } | Failure> {
    let trashed = '';
    const failed = await this.ask(path, ({ segments }, { folder, at }) => {
      trashed = `${segments.at(-1)?.slice(0, 60)}.${randomBytes(6).toString('hex')}`;
      const name = quote(trashed);
      return `f=${quotePath(at)}
inside ${quotePath(folder)}
taken "$f" || say missing
trash
[ -z "$i" ] || printf '[Trash Info]\\nPath=%s\\nDeletionDate=%s\\n' ${quote(uriPathOf(at))} \\
  "$(date +%Y-%m-%dT%H:%M:%S)" >"$i"/${name}.trashinfo
mv -- "$f" "$b"/${name} 2>/dev/null && say done
[ -z "$i" ] || rm -f -- "$i"/${name}.trashinfo
say failed`;
    });
    return failed ?? { trashed };
  }

  /** Puts back what `trash` moved. Errors: `conflict` if the name is taken, `not_found` if the trash was emptied. */
  restore(trashed: string, path: string): Promise<Failure | null> {
    const name = quote(trashed);
    return this.ask(
      path,
      (_, { folder, at }) => `t=${quotePath(at)}
trash
taken "$b"/${name} || say missing
folder ${quotePath(folder)}
place "$b"/${name} "$t"
[ -z "$i" ] || rm -f -- "$i"/${name}.trashinfo
say done`,
    );
  }

  private async ask(
    path: string,
    scriptOf: (at: CheckedPath, place: { folder: string; at: string }) => string,
    shown?: CheckedPath,
  ): Promise<Failure | null> {
    const at = checkFile(path);
    if (isFailure(at)) return at;
    try {
      const { output } = await this.run(`${preludeOf(this.root)}${scriptOf(at, this.placeOf(at))}`);
      const word = lastWord(output);
      if (word === 'exists') return existsFailure((shown ?? at).path);
      if (word === 'outside') return linkRefused(at.path);
      if (word === 'notrash') return failure('unsupported', 'That machine has no trash for this user.');
      return refusal(word, at);
    } catch (thrown) {
      if (!(thrown instanceof RemoteError)) throw thrown;
      return failure(thrown.kind, thrown.message);
    }
  }

  private placeOf({ segments, path }: CheckedPath): { folder: string; at: string } {
    const top = this.root.replace(/\/+$/, '');
    return {
      folder: `${top}/${segments.slice(0, -1).join('/')}`.replace(/(.)\/$/, '$1'),
      at: `${top}${path}`,
    };
  }
}

/** A path in a URI, whatever its bytes are. */
const uriPathOf = (path: string): string =>
  Buffer.from(systemPath(path) as string)
    .toString('latin1')
    .replace(/[^\w./~-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
