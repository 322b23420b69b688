import { because, type Reason } from '../../../contract/shared/reasons';
import { mayBeDefined } from '../parsing/subcommands';
import { operandsOf, type ShellWord } from '../parsing/words';

/** What a git command deletes. */
export type GitDeletion =
  | { always: Reason }
  | { words: readonly ShellWord[]; to?: undefined }
  /** A branch, or a file if there is one with that name. `within`: the values of `-C`. */
  | { maybeFile: ShellWord; within: readonly string[] };

const DISCARDS = { always: because('discards_uncommitted') };
const MOVES_BRANCH = { always: because('deletes_branches') };

/** Git commands that delete content in no commit and no index, or the commits themselves. */
const GIT: readonly { command: RegExp; what: Reason }[] = [
  {
    command:
      /^clean(?!(?=.* (-\w*n|--dry-run))( (-[dfqxXn]+|--dry-run))+$)|^sparse-checkout (?!list|disable|check-rules)/,
    what: because('git_cleans'),
  },
  {
    command:
      /^reset .*--(h|m|k)|^(read-tree|checkout-index)|^apply (.* )?(-\w*R|--rev)|^(merge|rebase|am|cherry-pick|revert) (.* )?--(a|q|sk)|^submodule (.* )?update (.* )?(-\w*f|--f)/,
    what: because('discards_uncommitted'),
  },
  { command: /^stash (.* )?(drop|clear)/, what: because('deletes_stashes') },
  {
    command:
      /^(branch|tag) (.* )?(-\w*[dDMCf]\w*|--del\w*|--forc\w*)( |$)|^(fetch|push|pull) (.*(:| \+)|(.* )?(--prune|--mirror|--del|-\w*d( |$)))|^(fetch|pull|remote update) (.* )?-\w*p|^push (.* )?(-\w*f\w*( |$)|--forc)|^remote (.* )?(remove|rm|prune)( |$)|^worktree add (.* )?-\w*B|^fast-import (.* )?--f/,
    what: because('deletes_branches'),
  },
  {
    command:
      /^(reflog (.* )?(expire|delete|drop)|gc .*--pr|prune|repack|update-ref|symbolic-ref .*(-d|--del)|filter-branch|filter-repo|replace|lfs prune)|^init (.* )?--sep/,
    what: because('deletes_commits'),
  },
  { command: /^worktree (remove|prune)|^submodule (.* )?deinit/, what: because('deletes_worktree') },
  {
    command:
      /^submodule (.* )?foreach|^bisect run|^rebase (.* )?(-x|--ex)|^difftool (.* )?(-x|--ex)|^mergetool|^grep (.* )?(-O|--open)|^for-each-repo/,
    what: because('runs_another', { name: 'git' }),
  },
  { command: /^(rm|mv) (.* )?(:|\S*[*?[]|--pathspec)/, what: because('git_finds_by_pattern') },
];

/** Subcommands that delete something with some of their options. */
const MAY_DELETE =
  /^(clean|sparse-checkout|reset|apply|merge|rebase|am|cherry-pick|revert|submodule|stash|branch|tag|fetch|push|pull|remote|worktree|reflog|gc|checkout|switch|restore|rm|mv)$/;

/** Settings for one command that run and delete nothing. */
const HARMLESS_SETTING =
  /^(user|color|advice|author|committer)\.|^core\.(quotepath|pager=(cat)?$)|^commit\.gpgsign=false$|^(init|log|diff)\.[\w.]+=\w+$/i;

/** Options before git's subcommand with a value in the next word. */
const TAKES_VALUE = /^(-[Cc]|--(git-dir|work-tree|namespace|config-env|super-prefix|attr-source))$/;

/** What a git command deletes; null if no deletion is visible. */
export function deletedByGit(rest: readonly ShellWord[]): GitDeletion | null {
  const within: string[] = [];
  let at = 0;
  for (; rest[at]?.value.startsWith('-') === true; at++) {
    const option = rest[at]?.value ?? '';
    if (!TAKES_VALUE.test(option)) {
      if (/^--(config-env|exec-path)=/.test(option))
        return { always: because('decides_git', { text: option }) };
      continue;
    }
    const { value = '', literal = false } = rest[++at] ?? {};
    if (option === '-C') within.push(value);
    if (option === '-c' && !(literal && HARMLESS_SETTING.test(value)))
      return { always: because('can_decide_git', { text: value }) };
  }
  const [verb, ...words] = rest.slice(at);
  if (verb === undefined) return null;
  const unknown = [verb, ...(MAY_DELETE.test(verb.value) ? words : [])].find(mayBeOption);
  if (unknown !== undefined)
    return { always: because('deletes_unknown', { name: 'git', text: unknown.text }) };
  if (mayBeDefined(['git', verb.value])) return { always: because('runs_unknown', { name: 'git' }) };
  const line = [verb, ...words].map(({ value }) => value).join(' ');
  const known = GIT.find(({ command }) => command.test(line));
  if (known !== undefined) return { always: known.what };
  // In another directory, its paths are different.
  const isElsewhere = rest.slice(0, at).some(({ value }) => /^--(git-dir|work-tree)/.test(value));
  switch (verb.value) {
    case 'restore':
      return restores(words) ? DISCARDS : null;
    case 'switch':
      return discardedBySwitch(words, 'cC').deletion;
    case 'checkout': {
      const { deletion, operands, creates } = discardedBySwitch(words, 'bB');
      const [only, ...others] = operands;
      if (deletion !== null || creates || only === undefined) return deletion;
      if (others.length > 0 || !only.literal || /^:|[*?[\\]|(^|\/)\.{0,2}$/.test(only.value)) return DISCARDS;
      return isElsewhere ? { always: because('git_elsewhere') } : { maybeFile: only, within };
    }
    case 'rm':
    case 'mv': {
      if (isElsewhere || within.length > 0) return { always: because('git_elsewhere') };
      const operands = operandsOf(words);
      return { words: verb.value === 'mv' ? operands.slice(0, -1) : operands };
    }
    default:
      return null;
  }
}

/** Whether a git command may rename branches or tags, or change where git looks for them. */
export const movesRef = (rest: readonly ShellWord[]): boolean => {
  const line = rest.map(({ value }) => value).join(' ');
  return /(^| )(branch (.* )?(-\w*[mMcC]|--(mo|co))|remote |symbolic-ref |update-ref |config |init( |$)|worktree )/.test(
    line,
  );
};

/** Whether a word may become an option or several words when it runs. In quotes after other text, it cannot. */
const mayBeOption = ({ text, value, literal }: ShellWord): boolean =>
  !literal && !(text.startsWith('"') && /^[\w./]/.test(value));

/** `git restore` discards, except if it only unstages. */
function restores(words: readonly ShellWord[]): boolean {
  const { options } = parsed(words, 'sU');
  const has = (short: string, long: string) =>
    options.some((option) => option === short || (option.length > 3 && long.startsWith(option)));
  return has('-W', '--worktree') || !has('-S', '--staged');
}

interface Switch {
  /** What its options discard. */
  deletion: GitDeletion | null;
  operands: ShellWord[];
  /** It makes a branch, or leaves all of them, so that no operand is a file. */
  creates: boolean;
}

/** `takesName`: letters of the options that make a branch, and of those the capital one moves an existing branch. */
function discardedBySwitch(words: readonly ShellWord[], takesName: string): Switch {
  const { options, operands, after } = parsed(words, takesName);
  const moves = options.some((option) => option === `-${takesName[1]}` || /^--force-c/.test(option));
  const discards = options.some((option) => /^-[fpm23]$|^--(f|dis|our|their|pathspec|p|me)/.test(option));
  const creates = options.some((option) => /^-[bctd]$|^--(orp|tr|det|cr)/.test(option));
  const deletion = moves ? MOVES_BRANCH : discards || after.length > 0 ? DISCARDS : null;
  return { deletion, operands, creates };
}

/** Long options with a value in the next word. */
const LONG_VALUES = /^--(orp\w*|conf\w*|so\w*|cr\w*)$/;

/**
 * The options, with clusters split and without values; the operands; and what follows `--`. `values`: letters of options with
 * a value.
 */
function parsed(words: readonly ShellWord[], values: string) {
  const options: string[] = [];
  const operands: ShellWord[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) break;
    const { value } = word;
    if (value === '--') return { options, operands, after: words.slice(at + 1) };
    if (value.startsWith('--')) {
      options.push(value.replace(/=.*/s, ''));
      if (LONG_VALUES.test(value)) at++;
    } else if (value.startsWith('-') && value !== '-') {
      const letters = [...value.slice(1)];
      const taking = letters.findIndex((letter) => values.includes(letter));
      const shown = taking === -1 ? letters : letters.slice(0, taking + 1);
      options.push(...shown.map((letter) => `-${letter}`));
      if (taking !== -1 && taking === letters.length - 1) at++;
    } else operands.push(word);
  }
  return { options, operands, after: [] };
}
