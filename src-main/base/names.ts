/**
 * A name as a system that ignores case may take it: without marks that some file systems drop, in compatibility form, in
 * lower case. Two names that may be one file have one such form, so a check by name is done on it.
 */
export const foldName = (name: string): string =>
  /^[a-z0-9._/-]*$/.test(name)
    ? name
    : name
        .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
        .normalize('NFKC')
        .toLowerCase();

/** The names of a path with `/` between them, folded; none for the root. */
export const foldedNames = (path: string): string[] =>
  foldName(path)
    .split('/')
    .filter((name) => name !== '' && name !== '.');
