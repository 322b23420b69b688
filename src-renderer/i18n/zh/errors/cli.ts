/** The headless command. */
export const cli = {
  cli_thread_id: '会话 ID 无效。',
  cli_no_message: '没有可以继续的消息。',
  cli_no_prompt: '没有提示词。',
  cli_decisions: '等待的操作：{waiting}。给出的决定：{given}。请为每项给出一个。',
  cli_no_such_call:
    '没有名为 {call} 的待决操作：它已被决定，或内容已发生变化。请用 --thread {id} 查看等待的操作。',
  cli_decide_first: '此会话正在等待决定；请用 --decide 作出决定，或先拒绝等待的操作。',
  cli_overtime: '--overtime 只能是 stop 或 wait，不能是“{overtime}”。',
  cli_approve: '--approve 只能是 policy、all 或 none，不能是“{approve}”。',
  cli_decide_needs_thread: '--decide 需要与 --thread 一起使用。',
  cli_decide_or_prompt: '--decide 与提示词只能使用其一。',
  cli_thread_or_fork: '--thread 与 --fork 只能使用其一。',
  cli_not_with_acp: '--acp 不能与 --{option} 一起使用。',
  cli_acp_prompt: '使用 --acp 时，提示词由编辑器发送。',
  cli_not_with_routine: '例行任务有自己的设置：不能使用 {option}。',
  cli_no_routine: '没有例行任务“{name}”。--list-routines 会列出全部。',
  cli_base_url: '--base-url 必须以 http:// 或 https:// 开头，不能是“{baseUrl}”。',
  cli_decide_keep: '--decide keep: 需要以逗号分隔的路径，或 JSON 路径列表。',
  cli_no_such_path: '该命令没有更改“{path}”。请使用列出的路径。',
  cli_nothing_to_keep: '此操作尚未运行，没有可保留的内容。请给出 approve 或 reject。',
  cli_mode: '--mode 只能是 ask、auto、plan 或 ask-all，不能是“{mode}”。',
  cli_decide_edit: '--decide edit: 需要以 JSON 对象给出参数。',
  cli_decide:
    '--decide 只能是 approve、reject[:message]、edit:JSON、respond:TEXT、keep[:PATHS]、discard[:message]、run、wait 或 again，不能是“{text}”。',
  cli_usage: '{text}',
} as const;
