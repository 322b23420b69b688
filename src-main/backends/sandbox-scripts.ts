/**
 * What a sandbox is asked in the words of POSIX `sh`. A record ends in `//` and a line end, which no path can hold, so
 * names with spaces, colons and line ends come through whole.
 */

/** Files listed at once; more are said to be there. */
const MAX_FILES = 50_000;

const quote = (text: string): string => `'${text.replace(/'/g, `'\\''`)}'`;

/** Prints `file`, `directory`, `other` or `missing`, links followed. */
export const kindScript = (path: string): string => `p=${quote(path)}
if [ -d "$p" ]; then echo directory
elif [ -f "$p" ]; then echo file
elif [ -e "$p" ]; then echo other
else echo missing
fi`;

/** A record for each entry of a directory: `d` or `f`, bytes, seconds since 1970, name. */
export const listScript = (path: string): string => `cd ${quote(path)} || exit 1
if stat -c %s . >/dev/null 2>&1; then facts() { stat -L -c '%s %Y' "$1"; }
else facts() { stat -L -f '%z %m' "$1"; }
fi
for f in .* *; do
  case $f in .|..) continue;; esac
  [ -e "$f" ] || continue
  k=f; if [ -d "$f" ]; then k=d; fi
  printf '%s %s %s//\\n' "$k" "$(facts "./$f")" "$f"
done`;

/**
 * A record for each file at or below a path, what belongs to the system left out: all of them, or those that hold
 * `literal` somewhere.
 */
export function listFiles(path: string, literal: string | null): string {
  const start = quote(path);
  const system = ['/proc', '/sys', '/dev', '/run'].map((folder) => `-path ${folder}`).join(' -o ');
  // One process for many names, but one `grep` for each file: names are not to be guessed out of its output.
  const print = "-exec printf '%s//\\n' {}";
  const found =
    literal === null
      ? `${print} +`
      : `-exec grep -q -F -e ${quote(literal.split('\n')[0] || literal)} {} \\; ${print} \\;`;
  return `find ${start} \\( ${system} \\) -prune -o -type f ${found} 2>/dev/null | head -n ${MAX_FILES + 1}`;
}

/** Removes a file, a link or a whole directory. */
export const deleteScript = (path: string): string => `rm -rf -- ${quote(path)} 2>&1`;

/** Making the folder of a file, and putting what was written beside it in its place. */
export const moveScript = {
  prepare: (folder: string): string => `mkdir -p -- ${quote(folder)} 2>&1 && [ -d ${quote(folder)} ]`,
  finish: (from: string, to: string): string => `f=${quote(from)}; t=${quote(to)}
mv -f -- "$f" "$t" 2>&1 || { rm -f -- "$f"; exit 1; }`,
};

/** The records of an output. `truncated`: some are missing. */
export function parseRecords(output: string, cut: boolean): { records: string[]; truncated: boolean } {
  const records = output.split('//\n').slice(0, -1);
  return { records: records.slice(0, MAX_FILES), truncated: cut || records.length > MAX_FILES };
}
