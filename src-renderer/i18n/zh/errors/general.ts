/** Everywhere. */
export const general = {
  connection_lost: '与 Deepdesk 的连接已断开。请关闭此窗口后重新打开；已保存的内容不会丢失。',
  cancelled: '已取消。',
  input_refused: '{name}：{why}',
  internal: 'Deepdesk 内部出错。此步骤没有更改任何内容。',
  unknown_command: '没有命令“{name}”。',
  link_scheme: '此处只能打开网页和邮件地址。',
  no_windows: '此处没有窗口。',
  closing_nothing_started: 'Deepdesk 正在关闭，没有开始任何操作。请在下次启动后重新发送。',
  consent_in_app_only: '这需要你在提示框中确认，只有桌面应用能够显示提示框。',
  dialog_open_already: 'Deepdesk 已有一个提示框在等你回应。请先回应它。',
  you_cancelled: '你已取消。没有更改任何内容。',
  cancelled_nothing_changed: '已取消，没有任何更改。',
  closing: 'Deepdesk 正在关闭。',
  not_connected: 'Deepdesk 尚未连接，请稍后再试。',
  prose: '{text}',
  external: '{text}',
  unknown: '出现错误。此版本的 Deepdesk 无法识别错误 {code}。',
  choose_in_window: '只能在窗口中选择文件。',
  not_saved: 'Deepdesk 无法将此内容保存到数据文件夹，因此没有执行。请确认磁盘有空间且可写入，然后重试。',
  not_saved_locked:
    'Deepdesk 无法保存此内容，因此没有执行：另一个程序占用了它的数据文件。请关闭该程序后再试。',
} as const;
