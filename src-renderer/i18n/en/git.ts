/** The git repository of a folder. */
export const git = {
  changes: 'Changes in the repository',
  thread: 'This thread',
  tab: 'Git',
  views: 'Which changes',
  clean: 'Nothing changed since the last commit.',
  count: {
    one: '{count} file changed, {staged} staged',
    other: '{count} files changed, {staged} staged',
  },
  stageAll: 'Stage all',
  stageAgent: "Stage the agent's changes",
  stagedAgent: {
    one: 'Staged {count} file that the agent changed.',
    other: 'Staged {count} files that the agent changed.',
  },
  staged: 'Stage {path}',
  renamed: '{from} → {path}',
  discard: 'Discard the changes to {path}',
  discarded: 'Discarded the changes to {path}.',
  hooks: "This repository has hooks. They don't run: {names}.",
  hooksSkipped: "This repository has hooks. They didn't run.",
  runHooks: 'Run hooks',
  hooksRun: 'Hooks of this repository run: {names}.',
  stopHooks: "Don't run hooks",
  ignored: 'Ignored settings of this repository that run programs: {names}.',
  branchName: 'Branch {branch}',
  detached: 'No branch',
  notPushed: 'not on a remote',
  noRemote: 'no remote',
  upstream: '{ahead} to push, {behind} to pull',
  refresh: 'Refresh',
  pull: 'Pull',
  push: 'Push',
  newBranch: 'The branch is new there.',
  branches: 'Branches',
  branchesHint: 'Switching keeps your uncommitted changes, or is refused.',
  otherBranch: 'Other branches',
  switch: 'Switch',
  newName: 'New branch',
  create: 'Create',
  identity: 'Git needs your name and email address. Deepdesk remembers them for this project.',
  commitsAs: 'Commits as {name} <{email}>',
  changeIdentity: 'Change',
  name: 'Name',
  email: 'Email address',
  message: 'Commit message',
  draft: 'Draft message',
  draftReplaced: 'Replaced your message with the draft.',
  amend: 'Amend the last commit',
  commit: 'Commit',
  committed: 'Committed {id}.',
  back: 'All changes',
  stagedPart: 'Staged',
  unstagedPart: 'Not staged',
  stageFile: 'Stage',
  unstageFile: 'Unstage',
  discardFile: 'Discard changes',
  busy: 'Git is working.',
  stop: 'Stop git',
  isSubmodule: 'It is a submodule.',
  isStaged: 'All its changes are staged. Unstage them first.',
  hasConflict: 'It has a conflict. Resolve it first.',
  stageHunk: 'Stage this change',
  unstageHunk: 'Unstage this change',
} as const;

export const gitAuthors = {
  agent: 'agent',
  person: 'you',
  both: 'agent and you',
  unclear: 'agent or you',
} as const;

export const gitChanges = {
  added: 'new',
  modified: 'changed',
  deleted: 'deleted',
  renamed: 'renamed',
  type: 'type',
  untracked: 'new',
  conflict: 'conflict',
} as const;

export const gitKinds = {
  binary: 'This is a binary file. Stage it as a whole.',
  too_large: 'These changes are too large to show. Stage the file as a whole.',
  submodule: 'This is a submodule. Stage it as a whole.',
  conflict: 'This file has conflicts. Resolve them, then stage the file.',
  same: 'No lines changed.',
} as const;

export const gitOperations = {
  merge: 'A merge is in progress. Resolve the conflicts, then commit.',
  rebase: 'A rebase is in progress. Finish it in a terminal.',
  'cherry-pick': 'A cherry-pick is in progress. Finish it in a terminal.',
  revert: 'A revert is in progress. Finish it in a terminal.',
} as const;

export const gitPush = {
  nothing: 'There is nothing to push.',
  done: 'Pushed.',
  ask: 'Push to the remote?',
  what: {
    one: 'Deepdesk pushes {count} commit to the branch {branch} of {remote}.',
    other: 'Deepdesk pushes {count} commits to the branch {branch} of {remote}.',
  },
} as const;

export const gitPull = {
  nothing: 'There is nothing to pull.',
  done: 'Pulled.',
  ask: 'Pull from the remote?',
  what: {
    one: 'Deepdesk pulls {count} commit from the branch {branch} of {remote}.',
    other: 'Deepdesk pulls {count} commits from the branch {branch} of {remote}.',
  },
} as const;
