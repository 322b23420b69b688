export const memories = {
  memory_exists_choose: 'The memory {path} already exists. Choose another name.',
  memory_edited_meanwhile: 'This memory was changed while you were editing it.',
  memory_exists: 'The memory {path} already exists.',
  nothing_to_undo: 'There is nothing to undo.',
  memory_changed_again: 'This memory has changed since then. Open it in Memories to edit it.',
  no_memory: "The memory {path} doesn't exist.",
  memory_needs_name: 'A memory needs a name.',
  version_gone: 'This version is no longer kept.',
  version_gone_or_deleted: 'This version is no longer kept, or it is a deletion.',
  memory_changed_since_read: 'This memory was changed since you read it. Read it again first.',
  choose_folder_again: 'Choose the folder again.',
  memories_changed: 'Memories have changed since you saw the list. Choose the folder again.',
  memories_need_a_team: 'You can only copy or move memories to or from a team.',
  folder_unusable:
    "Couldn't use the folder. Check its permissions and the space on its disk, or choose another one.",
  memory_name_refused: "“{name}” isn't a valid memory name.",
} as const;
