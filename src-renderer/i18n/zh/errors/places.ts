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
  place_host_unknown: '首次连接 {host}。其密钥为 {fingerprint}。请与其所有者提供的密钥核对，然后信任它。',
  place_host_changed:
    '{host} 的密钥已更改。可能有人在窃听，或该计算机已重新安装。移除旧密钥之前，请询问其所有者。',
  place_ssh_denied: '{host} 拒绝登录。请检查用户名、密钥和 SSH 代理。',
  place_ssh_host: '“{host}”不是主机。请输入 SSH 配置中的名称，或“用户@主机”。',
  place_ssh_missing: '未安装 OpenSSH 客户端。请安装后重试。',
  place_unreachable: '无法连接 {host}。请检查网络和名称。',
  place_read_only: '{path} 位于只读位置。',
} as const;
