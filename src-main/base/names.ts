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
    .map(asOnNtfs)
    .filter((name) => name !== '' && name !== '.');

/** What Windows takes for the same name: without its main stream, dots and spaces at the end; and the short name of `.git`. */
function asOnNtfs(name: string): string {
  if (!/[. ]$|[:~]/.test(name)) return name;
  const plain = name.replace(/(?::[^:]*)?:\$[a-z0-9_]+$/, '').replace(/(?<![. ])[. ]+$/, '');
  if (plain === '') return name;
  return plain === 'git~1' ? '.git' : plain;
}
