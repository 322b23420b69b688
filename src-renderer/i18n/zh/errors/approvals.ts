/** Approvals, rules and secrets. */
export const approvals = {
  rule_gone: '此规则已不存在。',
  no_project_open: '请先打开一个项目。',
  call_not_pending: '此操作不再等待决定。',
  mode_needs_confirmation: '此模式比当前模式询问得少。请先确认。',
  layer_gone: '包含该命令更改的一次性图层已不存在。',
  own_key_or_gone: '这是 Deepdesk 自己的密钥，或已不存在。',
  no_such_secret: '此会话中没有这样的机密信息。',
  own_key: '这是 Deepdesk 自己的密钥，不会在任何地方显示。',
  secret_value_gone: 'Deepdesk 不保存机密信息的值，且它已不在原来的位置。',
  secrets_need_confirmation: '此项目的机密信息将发送给模型。请先确认。',
  call_not_pending_nothing_ran: '此操作不再等待决定。没有执行任何内容。',
  call_changed: '此操作在显示后已发生变化。请重新查看后再决定。',
  rule_refused: '{reason}',
  sandbox_unavailable: '此处没有沙箱。{reason}',
} as const;
