/**
 * Scripts for a sandbox in POSIX `sh`. A record ends with `//` and a newline, which no path can contain, so names with
 * spaces, colons and newlines arrive intact. The first record of an answer says what is at the path.
 */

/** Maximum number of files listed. The answer says if there are more. */
const MAX_FILES = 50_000;
/** Bytes of text sent within a command. More is uploaded. Far below the limit of one argument. */
export const MAX_INLINE = 50_000;
/** Bytes of one page. A page that would be longer ends early and says where to continue. */
export const MAX_PAGE = 500 * 1024;
/** Bytes of the largest file that has a version. Larger ones are only read. */
export const MAX_SUMMED = 64 * 1024 * 1024;
/** Bytes at the start of a file that tell text from binary. */
const SNIFFED = 8192;

export const quote = (text: string): string => `'${text.replace(/'/g, `'\\''`)}'`;

/**
 * A path in the text form of `base/path-names.ts`. Bytes that are not UTF-8 are printed by the sandbox: no argument or
 * request carries them.
 */
export const quotePath = (path: string): string =>
  path
    .split(/((?:\\x[0-9a-f]{2})+)/i)
    .map((part, at) => (at % 2 === 0 ? (part === '' ? '' : quote(part)) : `"$(printf '${octal(part)}')"`))
    .join('');

const octal = (escapes: string): string =>
  escapes.replace(
    /\\x(..)/g,
    (_, hex: string) => `\\${Number.parseInt(hex, 16).toString(8).padStart(3, '0')}`,
  );

/** What is at a path, with links followed. `closed` may not be read. */
export type SandboxKind = 'file' | 'directory' | 'other' | 'missing' | 'closed';

/** Prints the kind of `$p` as a record, and exits unless it is a wanted one. */
const stopUnless = (path: string, ...wanted: SandboxKind[]): string => `p=${quotePath(path)}
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

/** Prints the bytes of the file in a variable. Files of `/proc` only tell by being read. */
export const sizeScript = (variable: string): string =>
  `n=$(stat -L -c %s "${variable}" 2>/dev/null || stat -L -f %z "${variable}" 2>/dev/null)
[ "\${n:-0}" -gt 0 ] || n=$(wc -c <"${variable}"); echo $n`;

/** After the kind: the bytes of a file, as a record. */
export const kindScript = (path: string): string =>
  `${stopUnless(path, 'file')}printf '%s//\\n' $(${sizeScript('$p')})`;

/**
 * A record for each entry of a directory: mode (hexadecimal, or octal after `o`), bytes, seconds since 1970, `./name`. Links
 * are followed, and those that lead nowhere come last.
 */
export const listScript = (path: string): string => `${stopUnless(path, 'directory')}cd "$p" || exit 1
if stat -c %s . >/dev/null 2>&1
then set -- -c '%f %s %Y %n//'
else set -- -f 'o%p %z %m %N//'
fi
find . ! -name . -prune -exec stat -L "$@" {} + 2>/dev/null
f=$1 w=$2; export f w
find . ! -name . -prune -type l -exec sh -c 'for l; do [ -e "$l" ] || stat "$f" "$w" "$l"; done' sh {} + 2>/dev/null; :`;

/** What `grep` looks for: a text, or an extended regular expression for the C locale. One line. */
export interface Needle {
  flag: '-F' | '-E';
  pattern: string;
}

export interface FileFilter {
  /** Only files with a line that has this. */
  needle?: Needle | null;
  /** Also names with a leading dot; `not-git`: except folders named `.git`. */
  hidden: boolean | 'not-git';
  /** A `find -name` pattern that every wanted base name matches. */
  name?: string | null;
}

/**
 * A record for each file below a directory, starting with `./`, without system folders. None for a single file. With a needle,
 * a file that starts with a byte order mark of UTF-16 also has a record, which ends with `/`: its bytes do not tell.
 */
export function findScript(path: string, { needle = null, hidden, name = null }: FileFilter): string {
  const system = path === '/' ? ['./proc', './sys', './dev', './run'].map((at) => `-path ${at}`) : [];
  const left = hidden === 'not-git' ? ['-name .git'] : hidden ? [] : [`-name '.?*'`];
  const pruned = [...system, ...left];
  const print = `-exec printf '%s//\\n' {} +`;
  // One process for many files. If a name contains a newline, each file is searched separately.
  const search = `-exec sh -c 'lit=$1; shift
case "$*" in
*"
"*) for f; do LC_ALL=C grep -q ${needle?.flag} -e "$lit" -- "$f" && printf "%s//\\n" "$f"; done;;
*) LC_ALL=C grep -l ${needle?.flag} -e "$lit" -- "$@" | sed "s,\\$,//,"
u=$(printf "\\377\\376")
head -c 2 /dev/null "$@" | sed -n "/^==> \\./{s/^==> //;s/ <==\\$//;h;n;/^[$u][$u]/{x;s,\\$,///,p;};}";;
esac' sh ${quote(needle?.pattern ?? '')} {} +`;
  return `${stopUnless(path, 'directory')}cd "$p" || exit 1
export LC_ALL=C
find . ${pruned.length === 0 ? '' : `\\( ${pruned.join(' -o ')} \\) -prune -o `}-type f ${
    name === null ? '' : `-name ${quote(name)} `
  }${needle === null ? print : search} 2>/dev/null | head -n ${MAX_FILES + 1}`;
}

/** The line before the lines of a file, and the last one. Lines themselves begin with their number. */
const LINES_OF = '//of';
const LINES_END = '//end';
/** Bytes of the lines of one command. */
const MAX_LINES = 2 * 1024 * 1024;

const unlessWide = (path: string): string =>
  `[ "$(head -c 2 <${quotePath(path)} | LC_ALL=C tr -d '\\377\\376' | wc -c)" -gt 0 ] || exit 0
`;

/**
 * For each file a line `//of`, and its lines with the needle as `number:line`. Other lines say that it is binary. Nothing for a
 * single file in UTF-16.
 */
export const linesScript = (paths: readonly string[], { flag, pattern }: Needle): string =>
  `${paths.length === 1 ? unlessWide(paths[0] ?? '') : ''}one() {
printf '\\n${LINES_OF}\\n'
[ -f "$1" ] && LC_ALL=C grep -n ${flag} -e "$n" -- "$1" 2>/dev/null
}
n=${quote(pattern)}
{ ${paths.map((path) => `one ${quotePath(path)}`).join('\n')}
printf '\\n${LINES_END}\\n'; } | head -c ${MAX_LINES}`;

export type FoundLine = { line: number; text: string };

/** The lines of each file, in the order of the paths. Null for a file whose lines did not all arrive. */
export function parseLines(output: string, files: number): (FoundLine[] | null)[] {
  const [, ...parts] = output.split(`\n${LINES_OF}\n`);
  const end = `\n${LINES_END}\n`;
  return Array.from({ length: files }, (_, index) => {
    const part = parts[index];
    if (part === undefined || (index === parts.length - 1 && !part.endsWith(end))) return null;
    const lines: FoundLine[] = [];
    for (const printed of part.replace(end, '').split('\n')) {
      const [start, number] = /^(\d+):/.exec(printed) ?? [];
      if (start !== undefined) lines.push({ line: Number(number), text: printed.slice(start.length) });
      else if (printed !== '') return [];
    }
    return part.includes('\0') ? [] : lines;
  });
}

/**
 * After the kind: a record with bytes, SHA-256 (or `-`), line endings, 1 if the last line has none, and 1 if there are NULs.
 * Then the start and the page in base64 (one byte more than `MAX_PAGE` if the page is longer), a record each. Lines are
 * 1-based here. Nothing holds a whole line, and a file with NULs at its start, or over `MAX_SUMMED` bytes, is not read for a
 * checksum.
 */
export function pageScript(path: string, first: number, count: number, column: number): string {
  const page =
    count <= 0
      ? ':'
      : `tail -n +${first} "$p" | tail -c +${column + 1} | head -n ${count} | head -c ${MAX_PAGE + 1}`;
  return `${stopUnless(path, 'file')}${SUM}command -v base64 >/dev/null 2>&1 || exit 1
nuls() { echo $(($(tr -dc '\\0' | head -c 1 | wc -c))); }
b=$(wc -c <"$p"); s=-; e=0; l=0; z=$(head -c ${SNIFFED} "$p" | nuls)
if [ $z = 0 ]; then
  [ $b -gt ${MAX_SUMMED} ] || s=$(sum "$p")
  [ -n "$(tail -c 1 "$p" | tr -d '\\0' 2>/dev/null)" ] && e=1
  l=$(wc -l <"$p"); z=$(nuls <"$p")
fi
printf '%s %s %s %s %s//\\n' $b "$s" $l $e $z
head -c ${SNIFFED} "$p" | base64; printf '//\\n'
if [ $z = 0 ]; then ${page}; fi | base64; printf '//\\n'`;
}

/**
 * `exactly mv -f FROM TO` and the like: not into a folder that appears at the target meanwhile. What a program without `-T` put
 * there is taken out again.
 */
export const EXACTLY = `number() { ls -di -- "$1" 2>/dev/null | sed -n '1{s/^ *//;s/ .*//;p;}'; }
exactly() {
  "$1" $2 -T -- "$3" "$4" 2>/dev/null && return
  [ -d "$4" ] && [ ! -L "$4" ] && return 1
  x=$(number "$3"); y=$4/\${3##*/}
  "$1" $2 -- "$3" "$4" || return
  [ "$(number "$y")" = "$x" ] && [ "$(number "$4")" != "$x" ] || return 0
  if [ "$1" = ln ]; then rm -f -- "$y"; else mv -n -- "$y" "$3"; fi
  return 1
}
`;

export interface Placing {
  target: string;
  folder: string;
  /** A new name beside the target, for the content before it replaces the target. */
  beside: string;
  createOnly: boolean;
  /** SHA-256 that the current file must have. */
  version: string | null;
  /** Whether to say `formed` instead if the file has anything but ASCII with LF. */
  keepsForm: boolean;
  /**
   * `prepare`: only the checks and the folder. `finish`: the file at `beside` replaces the target. Otherwise the content to
   * write, in base64.
   */
  content: 'prepare' | 'finish' | { base64: string };
}

/**
 * Replaces a file by rename, or gives the reason in the last record, after what the failed program said. The new file has the
 * mode, group and, for root, owner of the old one, and with GNU's `cp` also its access control list and extended attributes.
 * Nobody else can read it before. If the target is a link, the file it leads to is replaced. Creation is exclusive: of two
 * writers, one finds that the file exists.
 */
export function placeScript(placing: Placing): string {
  const { target, folder, beside, createOnly, version, keepsForm, content } = placing;
  const checks = `exec 2>&1; export LC_ALL=C
${SUM}t=${quotePath(target)}; d=${quotePath(folder)}; b=${quotePath(beside)}; f=$b; m=
say() { [ "$1" = ready ] || [ "$1" = done ] || rm -f -- "$f" "$b"; printf '\\n%s//\\n' "$1"; exit 0; }
if [ -L "$t" ]; then
  t=$(readlink -f -- "$t" 2>/dev/null && printf x) || say unresolved
  t=\${t%?x}; d=\${t%/*}; f="\${d%/}/\${f##*/}"
fi
[ -d "$t" ] && say directory
[ -e "$t" ] && [ ! -f "$t" ] && say other
${
  createOnly
    ? '[ -e "$t" ] && say exists'
    : `[ -e "$t" ] && m=$(stat -c %a "$t" 2>/dev/null || stat -f %Lp "$t" 2>/dev/null)
case 000$m in 000 | *[2367]??) ;; *) say readonly;; esac`
}
`;
  const compare =
    version === null
      ? ''
      : `[ -e "$t" ] || say missing
s=$(sum "$t"); [ "$s" = - ] && say unsummed
[ "$s" = ${quote(version)} ] || say stale
`;
  const form =
    keepsForm && content !== 'finish'
      ? `[ ! -f "$t" ] || [ $(($({ tr -d '\\11\\12\\40-\\176' <"$t"; } 2>/dev/null | head -c 1 | wc -c))) = 0 ] || say formed
`
      : '';
  const ready = `mkdir -p -- "$d"; [ -d "$d" ] || say parent
`;
  const hidden = `[ ! -e "$t" ] || (umask 077; : >"$f") || say failed
`;
  if (content === 'prepare') return `${checks}${compare}${form}${ready}f=$b; ${hidden}say ready`;
  const write =
    content === 'finish'
      ? `[ "$f" = "$b" ] || mv -f -- "$b" "$f" || say failed
`
      : `command -v base64 >/dev/null 2>&1 || say plain
${hidden}printf %s ${quote(content.base64)} | base64 -d >"$f" || say failed
`;
  const take = createOnly
    ? `exactly ln '' "$f" "$t" 2>/dev/null || { [ -e "$t" ] && say exists; exactly mv -f "$f" "$t" || say failed; }
rm -f -- "$f"; say done`
    : `if [ -n "$m" ]; then
  { cp --attributes-only --preserve=all -- "$t" "$f" && touch -- "$f"; } 2>/dev/null || {
    o=$(stat -c %u:%g "$t" || stat -f %u:%g "$t") && { chown "$o" "$f" || chgrp "\${o#*:}" "$f"; }
  } 2>/dev/null
  chmod "$m" "$f"
fi
exactly mv -f "$f" "$t" || { [ -d "$t" ] && say directory; say failed; }
say done`;
  return `${checks}${EXACTLY}${compare}${form}${ready}${write}${take}`;
}

/**
 * The real locations of two paths, as two records. Each is resolved as far as it exists, followed by its remaining names.
 * Fails if the sandbox cannot tell.
 */
export const realPathScript = (root: string, path: string): string => `real() {
  p=$1; r=
  while [ ! -e "$p" ] && [ ! -L "$p" ] && [ "$p" != / ]; do
    r="/\${p##*/}$r"; p=\${p%/*}; [ -n "$p" ] || p=/
  done
  q=$(readlink -f -- "$p" 2>/dev/null && printf x) || exit 1
  q=\${q%?x}; printf '%s%s//\\n' "\${q%/}" "$r"
}
real ${quotePath(root)}; real ${quotePath(path)}`;

/**
 * Removes a file, a link or a whole directory. A record says whether it did. `version`: SHA-256 that the file must have; then
 * no directory is removed.
 */
export const deleteScript = (path: string, version: string | null): string => `${SUM}t=${quotePath(path)}
if [ ! -e "$t" ] && [ ! -L "$t" ]; then printf 'missing//\\n'
${
  version === null
    ? ''
    : `elif [ ! -f "$t" ]; then printf 'stale//\\n'
elif s=$(sum "$t"); [ "$s" = - ]; then printf 'unsummed//\\n'
elif [ "$s" != ${quote(version)} ]; then printf 'stale//\\n'
`
}elif rm -rf -- "$t"; then printf '\\ndone//\\n'
else printf '\\nfailed//\\n'; fi`;

export interface Records {
  /** What is at the path, or null if the answer is not valid. */
  kind: SandboxKind | null;
  records: string[];
  /** Some records are missing. */
  truncated: boolean;
}

/** The records of an output that starts with a kind. */
export function parseRecords(output: string, cut: boolean): Records {
  const [kind = '', ...records] = output.split('//\n').slice(0, -1);
  return {
    kind: isKind(kind) ? kind : null,
    records: records.slice(0, MAX_FILES),
    truncated: cut || records.length > MAX_FILES,
  };
}

/** The last record of a script, whatever its commands printed before. */
export function lastWord(output: string): string {
  const word = /(?:^|\n)([a-z]+)\/\/\s*$/.exec(output)?.[1];
  return word ?? '';
}

/** What the failed program of a script said, without its name and its file: `No space left on device`. */
export function reasonIn(output: string): string {
  const said = output.trim().split('\n').slice(0, -1).join('\n').trim();
  return said
    .slice(said.lastIndexOf(': ') + 1)
    .trim()
    .slice(0, 200);
}

const isKind = (word: string): word is SandboxKind =>
  ['file', 'directory', 'other', 'missing', 'closed'].includes(word);
