/** A file that a text names. */
export interface FileReference {
  /** As in the text, without the line. */
  path: string;
  /** 1-based. */
  line?: number;
}

/** `:12`, `:12:5`, `:12-20`, `#L12` or `#L12-L20` at the end. */
const LINE = /(?::(\d{1,7})(?:[:-]\d{1,7})?|#L(\d{1,7})(?:-L?\d{1,7})?)$/;
const PATH = /^[\p{L}\p{N}_@.+\-/()[\]$]{2,300}$/u;
/** Names without an extension that are files in most projects. */
const NAMES = new Set(['Makefile', 'Dockerfile', 'LICENSE', 'Procfile', 'Gemfile', 'Rakefile']);

/** The file that a piece of code names, if it looks like a path. Whether there is one is not known yet. */
export function fileReference(text: string): FileReference | null {
  const found = LINE.exec(text);
  const path = found === null ? text : text.slice(0, found.index);
  if (!PATH.test(path) || path.includes('//')) return null;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!/.\.[a-z]\w{0,9}$/i.test(name) && !/^\.[a-z][\w.]{2,20}$/i.test(name) && !NAMES.has(name)) return null;
  const line = Number(found?.[1] ?? found?.[2] ?? 0);
  return line > 0 ? { path, line } : { path };
}

/** The path as it is in the project: an absolute one in the folder, or one that takes the folder for the root. */
export function withinProject(path: string, mount: string): string {
  const below = path.startsWith(`${mount}/`) ? path.slice(mount.length + 1) : path;
  return below.replace(/^(?:\.?\/)+/, '');
}

/** The one file that a name means: the exact path, or the only file whose path ends with it. */
export function chosenFile(names: readonly string[], wanted: string): string | null {
  if (names.includes(wanted)) return wanted;
  const ending = names.filter((name) => name.endsWith(`/${wanted}`));
  return ending.length === 1 ? (ending[0] ?? null) : null;
}
