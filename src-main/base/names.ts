/**
 * A name as a case-insensitive system may read it: without marks that some file systems drop, in compatibility form, in
 * lower case. Two names for the same file have the same form, so checks by name use it.
 */
export const foldName = (name: string): string =>
  /^[a-z0-9._/-]*$/.test(name)
    ? name
    : name
        .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
        .normalize('NFKC')
        .toLowerCase();

/** The folded names of a path with `/` as the separator; none for the root. */
export const foldedNames = (path: string): string[] =>
  foldName(path)
    .split('/')
    .filter((name) => name !== '' && name !== '.');
