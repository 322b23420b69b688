/** The line at the end of a turn. */
export const receipt = {
  title: 'What this turn did',
  files: { one: '{count} file changed', other: '{count} files changed' },
  commands: { one: '{count} command', other: '{count} commands' },
  failed: { one: '{count} failed', other: '{count} failed' },
  memories: { one: '{count} memory changed', other: '{count} memories changed' },
  review: 'Review',
  undo: 'Undo',
  undoLabel: 'Undo the file changes of this turn',
  undone: 'Undone',
  partlyUndone: '{done} of {count} undone',
  restore: 'Restore',
} as const;
