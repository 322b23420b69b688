export const routines = {
  routine_gone: '此例行任务已不存在。',
  routine_name_taken: '已有名为“{name}”的例行任务。请换一个名称。',
  routine_schedule_unclear:
    'Deepdesk 无法理解“{text}”。请尝试“每个工作日 9:00”、“每2小时”、“每月1日 8:30”，或五段式 cron 表达式。',
  routine_schedule_never: '“{text}”永远不会到来。请更换时间安排。',
  routine_time_zone: '没有时区“{name}”。请从列表中选择。',
  routine_still_running: '“{name}”的上一次运行尚未结束。请先完成或停止它。',
  routine_needs_first_run: '此例行任务需要先进行一次你在场的首次运行。请选择“开始首次运行”。',
  routine_cost_reached:
    '本次运行已使用 {spent}，预算为 {budget}，下一个请求会超出预算。若要继续，请在“例行任务”中提高预算。',
  routine_tokens_reached:
    '本次运行已使用 {used} 个 token，预算为 {budget} 个，下一个请求会超出预算。若要继续，请在“例行任务”中提高预算。',
} as const;
