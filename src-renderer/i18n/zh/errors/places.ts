/** Places. */
export const places = {
  place_gone: '此位置已不存在。',
  place_path_taken: '{path} 已被另一个位置使用。请选择其他路径。',
  place_path_reserved: '{path} 已被占用。请选择其他路径。',
  place_folder_gone: '文件夹 {folder} 不存在。请检查路径，或连接其所在磁盘。',
  place_not_a_folder: '{folder} 不是文件夹。请选择文件夹。',
  place_folder_denied: '你没有打开 {folder} 的权限。',
  place_rule_wrong: '无法识别模式“{glob}”。请更正。',
  place_too_slow: '该位置在 {count} 秒内没有响应。',
  place_failed: '连接失败。',
  place_read_only: '{path} 位于只读位置。',
} as const;
