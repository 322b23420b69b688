/** Memories. */
export const memories = {
  memory_exists_choose: '已有记忆 {path}。请选择其他名称。',
  memory_edited_meanwhile: '你编辑期间，此记忆已被更改。',
  memory_exists: '已有记忆 {path}。',
  nothing_to_undo: '没有可撤销的内容。',
  memory_changed_again: '此记忆之后又被更改。请在“记忆”中打开并编辑。',
  no_memory: '没有记忆 {path}。',
  memory_needs_name: '记忆需要名称。',
  version_gone: '此版本已不再保留。',
  version_gone_or_deleted: '此版本已不再保留，或是一次删除。',
  memory_changed_since_read: '此记忆在你读取后已被更改。请重新读取。',
  choose_folder_again: '请重新选择文件夹。',
  memories_changed: '在你查看之后记忆已被更改。请重新选择文件夹。',
  memories_need_a_team: '记忆只能复制或移动到团队，或从团队复制或移动过来。',
  folder_unusable: '无法使用该文件夹。请检查其权限和磁盘空间，或选择其他文件夹。',
  memory_name_refused: '“{name}”不能作为记忆的名称。',
} as const;
