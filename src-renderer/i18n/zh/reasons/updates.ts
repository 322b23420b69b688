export const updateReasons = {
  update_unreachable: '无法连接更新服务器（{code}）。请检查网络，然后选择“立即检查”。',
  update_too_slow: '更新服务器已有 {seconds} 秒几乎没有发送数据。请稍后选择“立即检查”。',
  update_redirected:
    '更新服务器将请求重定向到另一台服务器，因此没有下载任何内容。请检查网络：某些公共网络的登录页面会这样做。',
  update_answer: '更新服务器返回状态 {status}。请稍后选择“立即检查”。',
  update_no_feed: '更新服务器没有版本列表。请稍后选择“立即检查”。',
  update_signature_missing: '版本列表没有签名，因此没有下载任何内容。请稍后选择“立即检查”。',
  update_signature_wrong:
    '版本列表的签名不正确：它可能被人更改过。没有下载任何内容。如果持续出现，请从项目网站获取新版本。',
  update_feed_form: '此版本的 Deepdesk 无法读取版本列表。请从项目网站获取新版本。',
  update_feed_expired:
    '{date} 的版本列表今天无效。请检查这台计算机的时钟。如果时钟正确，请在项目网站上查找新版本。',
  update_feed_replayed: '更新服务器发送的版本列表比之前的更旧，因此没有下载任何内容。请稍后选择“立即检查”。',
  update_not_for_system: '版本 {version} 没有适用于这台计算机的安装包。',
  update_wrong_size: '下载的文件不完整或过长，已被删除。请选择“立即检查”重试。',
  update_wrong_contents: '下载的文件不是项目所签名的文件，已被删除。请选择“立即检查”重试。',
  update_disk_full: '磁盘已满。请腾出空间，然后选择“立即检查”。',
  update_folder_read_only:
    '你不能写入 Deepdesk 所在的 {folder}。请将 Deepdesk 移到你自己的文件夹，或手动替换它。',
  update_app_moved: 'Deepdesk 的文件在启动后被移动、重命名或替换。请重启 Deepdesk，然后再次检查。',
  update_failed: '无法准备新版本（{problem}）。请选择“立即检查”重试。',
} as const;
