/**
 * What a sandbox is asked in the words of POSIX `sh`. A record ends in `//` and a line end, which no path can hold, so
 * names with spaces, colons and line ends come through whole. The first record of an answer says what is at the path.
 */

/** Files listed at once; more are said to be there. */
const MAX_FILES = 50_000;
/** Bytes of text that are sent within a command; more are uploaded. Far below what one argument may hold. */
export const MAX_INLINE = 50_000;
/** Bytes of one page; a page that would be longer ends early and says where to go on. */
export const MAX_PAGE = 500 * 1024;
/** Bytes of a file's beginning that are looked at to tell text from binary. */
const SNIFFED = 8192;

export const quote = (text: string): string => `'${text.replace(/'/g, `'\\''`)}'`;

/** What is at a path, links followed; `closed` may not be read. */
export type SandboxKind = 'file' | 'directory' | 'other' | 'missing' | 'closed';

/** Prints the kind of `$p` as a record, and ends there unless it is a wanted one. */
const stopUnless = (path: string, ...wanted: SandboxKind[]): string => `p=${quote(path)}
if [ -d "$p" ]; then k=directory; elif [ -f "$p" ]; then k=file; elif [ -e "$p" ]; then k=other; else k=missing; fi
case $k in file) [ -r "$p" ] || k=closed;; directory) [ -x "$p" ] || k=closed;; esac
printf '%s//\\n' "$k"
case $k in ${wanted.join('|')}) ;; *) exit 0;; esac
`;

const SUM = `sum() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum <"$1"; elif command -v shasum >/dev/null 2>&1
  then shasum -a 256 <"$1"; else echo -; fi | cut -d ' ' -f 1
}
`;

/** The kind alone. */
export const kindScript = (path: string): string => stopUnless(path);

/** A record for each entry of a directory: mode (hexadecimal, or octal after `o`), bytes, seconds since 1970, `./name`. */
export const listScript = (path: string): string => `${stopUnless(path, 'directory')}cd "$p" || exit 1
if stat -c %s . >/dev/null 2>&1
then find . ! -name . -prune -exec stat -L -c '%f %s %Y %n//' {} + 2>/dev/null
else find . ! -name . -prune -exec stat -L -f 'o%p %z %m %N//' {} + 2>/dev/null
fi; :`;

export interface FileFilter {
  /** Only files that hold this somewhere (one line). */
  literal?: string | null;
  /** Names with a leading dot too. */
  hidden: boolean;
  /** A pattern of `find -name` that every wanted base name has. */
  name?: string | null;
}

/** A record for each file below a directory, from `./` on, what belongs to the system left out; or for one file none. */
export function findScript(path: string, { literal = null, hidden, name = null }: FileFilter): string {
  const system = path === '/' ? ['./proc', './sys', './dev', './run'].map((at) => `-path ${at}`) : [];
  const pruned = [...system, ...(hidden ? [] : [`-name '.?*'`])];
  const print = `-exec printf '%s//\\n' {} +`;
  // One process for many files. Where a name holds a line end, each file is asked for itself.
  const search = `-exec sh -c 'lit=$1; shift
case "$*" in
*"
"*) for f; do grep -q -F -e "$lit" -- "$f" && printf "%s//\\n" "$f"; done;;
*) grep -l -F -e "$lit" -- "$@" | sed "s,\\$,//,";;
esac' sh ${quote(literal ?? '')} {} +`;
  return `${stopUnless(path, 'directory')}cd "$p" || exit 1
find . ${pruned.length === 0 ? '' : `\\( ${pruned.join(' -o ')} \\) -prune -o `}-type f ${
    name === null ? '' : `-name ${quote(name)} `
  }${literal === null ? print : search} 2>/dev/null | head -n ${MAX_FILES + 1}`;
}

/**
 * After the kind: a record with bytes, SHA-256 (or `-`), line ends, 1 where the last line has none, NULs; then base64 of
 * the beginning and of the page (a byte more than `MAX_PAGE` where it is longer), each a record. Lines are 1-based here.
 */
export function pageScript(path: string, first: number, count: number, column: number): string {
  const last = first + count - 1;
  const page =
    count <= 0 ? ':' : `LC_ALL=C sed -n '${first},${last}p;${last}q' "$p" | tail -c +${column + 1}`;
  return `${stopUnless(path, 'file')}${SUM}command -v base64 >/dev/null 2>&1 || exit 1
e=0; [ -n "$(tail -c 1 "$p" | tr -d '\\0' 2>/dev/null)" ] && e=1
printf '%s %s %s %s %s//\\n' $(wc -c <"$p") $(sum "$p") $(wc -l <"$p") $e $(tr -dc '\\0' <"$p" | head -c 1 | wc -c)
head -c ${SNIFFED} "$p" | base64; printf '//\\n'
${page} | head -c ${MAX_PAGE + 1} | base64; printf '//\\n'`;
}

export interface Placing {
  target: string;
  folder: string;
  /** A new name beside the target, for what is written before it takes the place. */
  beside: string;
  createOnly: boolean;
  /** SHA-256 that the file there must have. */
  version: string | null;
  /**
   * `prepare`: only the checks and the folder. `finish`: what lies at `beside` takes the place. Else what is to be
   * written, in base64.
   */
  content: 'prepare' | 'finish' | { base64: string };
}

/**
 * Puts a file in its place by rename, with the mode of what was there, or says as the last record why not. Where the
 * place is a link, what it leads to is replaced. Creating is exclusive: of two, one finds that it exists.
 */
export function placeScript(placing: Placing): string {
  const { target, folder, beside, createOnly, version, content } = placing;
  const checks = `${SUM}t=${quote(target)}; d=${quote(folder)}; b=${quote(beside)}; f=$b
say() { [ "$1" = ready ] || [ "$1" = done ] || rm -f -- "$f" "$b"; printf '\\n%s//\\n' "$1"; exit 0; }
if [ -L "$t" ]; then
  t=$(readlink -f -- "$t" 2>/dev/null && printf x) || say unresolved
  t=\${t%?x}; d=\${t%/*}; f="\${d%/}/\${f##*/}"
fi
[ -d "$t" ] && say directory
[ -e "$t" ] && [ ! -f "$t" ] && say other
${createOnly ? '[ -e "$t" ] && say exists' : ':'}
`;
  const compare =
    version === null
      ? ''
      : `[ -e "$t" ] || say missing
s=$(sum "$t"); [ "$s" = - ] && say unsummed
[ "$s" = ${quote(version)} ] || say stale
`;
  const ready = `mkdir -p -- "$d" 2>/dev/null; [ -d "$d" ] || say parent
`;
  if (content === 'prepare') return `${checks}${compare}${ready}say ready`;
  const write =
    content === 'finish'
      ? `[ "$f" = "$b" ] || mv -f -- "$b" "$f" || say failed
`
      : `command -v base64 >/dev/null 2>&1 || say plain
printf %s ${quote(content.base64)} | base64 -d >"$f" || say failed
`;
  const take = createOnly
    ? `ln -- "$f" "$t" 2>/dev/null || { [ -e "$t" ] && say exists; mv -f -- "$f" "$t" || say failed; }
rm -f -- "$f"; say done`
    : `if [ -e "$t" ]; then
  m=$(stat -c %a "$t" 2>/dev/null || stat -f %Lp "$t" 2>/dev/null) && chmod "$m" "$f"
fi
mv -f -- "$f" "$t" || say failed
say done`;
  return `${checks}${compare}${ready}${write}${take}`;
}

/**
 * Where two paths really are, as two records, each as far as it exists with the rest of its names after it. Fails where
 * the box cannot say.
 */
export const realPathScript = (root: string, path: string): string => `real() {
  p=$1; r=
  while [ ! -e "$p" ] && [ ! -L "$p" ] && [ "$p" != / ]; do
    r="/\${p##*/}$r"; p=\${p%/*}; [ -n "$p" ] || p=/
  done
  q=$(readlink -f -- "$p" 2>/dev/null && printf x) || exit 1
  q=\${q%?x}; printf '%s%s//\\n' "\${q%/}" "$r"
}
real ${quote(root)}; real ${quote(path)}`;

/** Removes a file, a link or a whole directory; a record says whether. */
export const deleteScript = (path: string): string => `t=${quote(path)}
if [ ! -e "$t" ] && [ ! -L "$t" ]; then printf 'missing//\\n'
elif rm -rf -- "$t"; then printf '\\ndone//\\n'
else printf '\\nfailed//\\n'; fi`;

export interface Records {
  /** What is at the path, or null where the answer is none. */
  kind: SandboxKind | null;
  records: string[];
  /** Some are missing. */
  truncated: boolean;
}

/** The records of an output that begins with a kind. */
export function parseRecords(output: string, cut: boolean): Records {
  const [kind = '', ...records] = output.split('//\n').slice(0, -1);
  return {
    kind: isKind(kind) ? kind : null,
    records: records.slice(0, MAX_FILES),
    truncated: cut || records.length > MAX_FILES,
  };
}

/** What a script said at its end, whatever its commands printed before. */
export function lastWord(output: string): string {
  const word = /(?:^|\n)([a-z]+)\/\/\s*$/.exec(output)?.[1];
  return word ?? '';
}

const isKind = (word: string): word is SandboxKind =>
  ['file', 'directory', 'other', 'missing', 'closed'].includes(word);
