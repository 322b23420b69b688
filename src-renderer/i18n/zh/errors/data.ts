/** Saved data. */
export const data = {
  data_folder_blocked: 'Deepdesk 需要 {path} 是文件夹，但那里是其他内容。请将其移走，然后重新启动 Deepdesk。',
  data_folder_unwritable: '无法写入数据文件夹。请确认磁盘有空间且可写入，然后重新启动 Deepdesk。',
  copy_into_itself: '文件夹不能复制到自身之中。',
  data_itself: '这是数据本身的位置。请选择其他位置。',
  restore_in_window_only: '只能在窗口中恢复数据。',
  no_backup_chosen: '尚未选择备份。请先选择。',
  delete_holds_home:
    '数据文件夹 {folder} 包含你的主文件夹，因此 Deepdesk 不会删除它。请自行删除其中属于 Deepdesk 的文件。',
  delete_in_window_only: '只能在窗口中删除数据。',
  data_job_running: 'Deepdesk 正在复制或检验数据。请等待结束。',
  folder_missing: '文件夹 {path} 不存在。请选择其他位置。',
  copy_incomplete: '副本不完整（{names}），未保留。请重试。',
  copy_damaged: '副本已损坏，未使用。请选择其他备份。',
  thread_run_elsewhere: '另一个 Deepdesk 正在运行此会话。请等待完成，或在那里停止。',
  database_newer:
    '数据库 {file} 由更新版本的 Deepdesk 写入（格式 {version}，当前版本支持 {known}）。请更新 Deepdesk 后再打开；文件没有更改。',
  not_a_backup: '此文件不是 Deepdesk 的备份，或已损坏。你的数据没有更改。',
  backup_unreadable_full: '无法读取文件：磁盘已满。请腾出空间或选择其他位置。你的数据没有更改。',
  backup_unreadable: '无法读取文件：请检查该位置及其权限，或选择其他位置。你的数据没有更改。',
  copy_failed_full: '无法制作副本：磁盘已满。请腾出空间或选择其他位置。你的数据没有更改。',
  copy_failed: '无法制作副本：请检查该位置及其权限，或选择其他位置。你的数据没有更改。',
  database_busy: '无法打开数据库 {file}：另一个程序正在使用它。请关闭另一个 Deepdesk 后再试。',
  database_damaged_in_use:
    '数据库 {file} 已损坏，而另一个 Deepdesk 正在使用它。请关闭所有 Deepdesk，然后重新启动以修复该文件。',
  database_disk_full: '无法打开数据库 {file}：磁盘已满。请腾出空间后再试。',
  database_denied: '无法打开数据库 {file}：此用户没有写入权限。请检查该文件及其文件夹的权限。',
  database_disk_read_only:
    '无法打开数据库 {file}：所在的磁盘是只读的。请将磁盘改为可写，或选择其他数据文件夹。',
  database_not_opened: '无法打开数据库 {file}：请检查该文件及其所在的文件夹。',
} as const;
