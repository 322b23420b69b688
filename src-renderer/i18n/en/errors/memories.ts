/** Memories. */
export const memories = {
  memory_exists_choose: 'There is a memory {path} already. Choose another name.',
  memory_edited_meanwhile: 'This memory was changed while you were editing it.',
  memory_exists: 'There is a memory {path} already.',
  nothing_to_undo: 'There is nothing to undo.',
  memory_changed_again: 'This memory was changed again since. Open it in Memories to edit it.',
  no_memory: 'There is no memory {path}.',
  memory_needs_name: 'A memory needs a name.',
  version_gone: 'This version is not kept any more.',
  version_gone_or_deleted: 'This version is not kept any more, or is a delete.',
  memory_changed_since_read: 'This memory was changed since you read it. Read it again first.',
  choose_folder_again: 'Choose the folder again.',
  memories_changed: 'Memories were changed since you saw what is new. Choose the folder again.',
  memories_need_a_team: 'Memories are copied or moved only to a team or from one.',
  folder_unusable: 'The folder could not be used: {reason}',
  memory_name_refused: '“{name}” cannot be the name of a memory.',
} as const;
