export const terminals = {
  rerun_agent_only: '此处只能重新运行智能体的命令。',
  terminal_gone: '此终端已不存在。',
  own_terminals_only: '只能重新启动你自己的终端。',
  terminal_running: '此终端仍在运行。',
  folder_gone: '文件夹 {folder} 已不存在。',
  no_terminal_opened: '系统无法打开终端。请关闭一些终端后再试。',
  command_not_started: '无法启动该命令。',
  terminal_input_full: '程序没有读取输入的内容。请等待，或用 Ctrl+C 中断。',
  terminal_size: '终端的行数和列数为 {least} 到 {most}。',
} as const;
