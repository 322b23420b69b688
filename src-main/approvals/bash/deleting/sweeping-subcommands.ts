import type { ShellWord } from '../parsing/words';

const MERCURIAL =
  /^(pur\w*|clean|rev\w*|strip|prune|rollback)( |$)|^(up\w*|checkout|co|goto|go) (.* )?(-\w*C\w*|--cl\w*)( |$)|^(rebase|graft|unshelve|merge|histedit) (.* )?--ab|^shelve (.* )?(-\w*d\w*|--de\w*|--cl\w*)( |$)/;
const BAZAAR = /^(revert|clean-tree|uncommit|remove-branch|rmbranch)( |$)/;

/**
 * The commands of version control systems other than git that delete content in no commit, or the commits themselves. For
 * those that accept abbreviations, by their first letters.
 */
const DISCARD: Readonly<Record<string, RegExp>> = {
  svn: /^(revert( |$)|cleanup (.* )?--re)/,
  hg: MERCURIAL,
  chg: MERCURIAL,
  rhg: MERCURIAL,
  sl: MERCURIAL,
  jj: /^(abandon|restore|undo|(op|operation) (restore|revert|undo|abandon)|(bookmark|workspace) (d|delete|f|forget)|util gc)( |$)/,
  bzr: BAZAAR,
  brz: BAZAAR,
  fossil: /^(revert|clean|purge|shun|scrub|stash (drop|rm)|(checkout|co|update) (.* )?--f)/,
  darcs: /^(rev(?!i)|oblit|unpull|unrec|clean)/,
  p4: /^(revert|clean|obliterate)( |$)|^(sync|update) (.* )?-f( |$)/,
  cvs: /^(update|up|upd) (.* )?-\w*C/,
};
/** Programs that delete or move the operands after such a first one. */
const DELETE: Readonly<Record<string, RegExp>> = {
  gio: /^(trash|remove|move)$/,
  kioclient: /^(remove|move)$/,
  kioclient5: /^(remove|move)$/,
  svn: /^(delete|del|remove|rm|move|mv|rename|ren)$/,
  hg: /^(remove|rm|move|mv|rename)$/,
};
/** `cmake -E rm` */
const CMAKE = /^(rm|remove|remove_directory|rename)$/;
/** Options before the subcommand with a value in the next word. */
const TAKES_VALUE =
  /^(-R|--(repository|cwd|config|config-dir|config-option|username|password|at-op|at-operation|color|encoding))$/;

/** What the subcommand of a program deletes; `all` if it is not only what its words name. Null if it deletes nothing. */
export function deletedBySubcommand(name: string, rest: readonly ShellWord[]): ShellWord[] | 'all' | null {
  let at = 0;
  while (rest[at]?.value.startsWith('-') === true) at += TAKES_VALUE.test(rest[at]?.value ?? '') ? 2 : 1;
  const words = rest.slice(at);
  const line = words.map(({ value }) => value).join(' ');
  if (Object.hasOwn(DISCARD, name) && DISCARD[name]?.test(line) === true) return 'all';
  const deletes = name === 'cmake' && rest[0]?.value === '-E' ? CMAKE : undefined;
  const known = deletes ?? (Object.hasOwn(DELETE, name) ? DELETE[name] : undefined);
  return known?.test(words[0]?.value ?? '') === true
    ? words.slice(1).filter(({ value, literal }) => !literal || !value.startsWith('-'))
    : null;
}
