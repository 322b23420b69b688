/** Models and turns. */
export const models = {
  key_empty: '密钥为空。',
  key_character: '密钥中不能有“{character}”。请重新复制完整的密钥。',
  address_scheme: '地址必须以 http:// 或 https:// 开头。',
  address_with_login: '服务器地址不能包含用户名或密码。请删除 @ 及其前面的登录信息，然后重试。',
  earlier_value_forgotten: '之前的内容已经清除，无法恢复。',
  unknown_provider: '“{provider}”不是 Deepdesk 已知的提供商。没有任何更改。',
  no_such_tool: '智能体没有名为“{tool}”的工具。没有任何更改。',
  required_tool: '智能体不能没有 {tool}：较长的结果会放入文件。没有任何更改。',
  unknown_model: '“{name}”不是模型。请按“提供商:名称”的格式填写，提供商可为 {providers}。',
  key_missing:
    '{provider} 需要密钥，但还没有。你的消息已保留。请添加密钥，或在启动 Deepdesk 前设置 {variable}，然后重试。',
  address_missing:
    '{provider} 还没有地址。你的消息已保留。请输入服务器地址（例如 http://127.0.0.1:1234/v1）后再试。',
  not_an_address: '“{address}”不是服务器地址。地址必须以 http:// 或 https:// 开头。',
  price_unknown:
    '{model} 的价格未知，无法按费用上限控制。请求未发送，你的消息已保留。请在设置中输入价格、取消上限或选择其他模型，然后重试。',
  environment_key_not_sent:
    '{variable} 中的密钥不会发送到 {address}：只有已保存的设置中有此地址。你的消息已保留。请在设置中重新保存地址，或用 --base-url 指定，然后重试。',
  key_bound:
    '你的 {provider} 密钥属于 {bound}，不会发送到 {address}。你的消息已保留。要在那里使用，请重新输入密钥，然后重试。',
  key_of_another_address:
    '你的 {provider} 密钥属于其他地址，不会发送到 {address}。你的消息已保留。要在那里使用，请重新输入密钥，然后重试。',
  thread_limit_reached:
    '此会话已花费 {spent}（上限 {ceiling}），下一次请求约需 {expected}。请求未发送，你的消息已保留。请在设置中提高上限或选择更便宜的模型，然后重试。',
  day_limit_reached:
    '今天 Deepdesk 已花费 {spent}（上限 {ceiling}），下一次请求约需 {expected}。请求未发送，你的消息已保留。请在设置中提高上限或选择更便宜的模型，然后重试。',
  override_unusable: '这个模型的数据不可用。{why}没有任何更改。',
  run_not_saved:
    'Deepdesk 无法保存到数据文件夹，因此已停止智能体。之前保存的内容已保留。请确认磁盘有空间且可写入，然后重试。',
  model_declined: '模型拒绝回答。你的消息已保留，回答中的任何步骤都没有运行。请换一种说法，或选择其他模型。',
  thread_does_not_fit:
    '即使压缩，此会话也超出了模型的上下文。没有丢失任何内容。请选择上下文窗口更大的模型，或开始新会话。',
  instructions_name_unknown_tool:
    '你为此模型写的指令提到了智能体没有的工具，因此没有发送任何内容。请在设置的“指令”中更正，然后重试。',
  unusable_calls:
    '模型连续多次要求无法运行的调用，因此已停止智能体。没有丢失任何内容。请重试，或选择其他模型。',
  too_many_steps:
    '智能体用完了一轮允许的步数仍未结束，因此已停止。它所做的都已保留。请重试让它继续，或告诉它换一种做法。',
  stopped_by_person: '你在这里停止了智能体。',
  interrupted:
    '智能体工作时 Deepdesk 被关闭。到最后一个完成的步骤为止的内容都已保留，已运行的内容不会未经询问就重复。',
  deleted_at_work:
    '智能体工作时，你删除了会话或移除了其项目。到最后一个完成的步骤为止的内容都已保留，已运行的内容不会未经询问就重复。',
  run_failed: 'Deepdesk 内部出错。你的消息已保留。请重试以继续。',
  answer_at_limit: '回答达到了模型的最大长度，因此缺少结尾。可以让智能体继续。',
  fell_back: '{from} 无法回答。在本轮结束前由 {to} 代为回答。',
  hook_failed: '钩子“{hook}”失败了。{why}',
  hooks_changed: '钩子已变化。请查看它们现在做什么。',
  hooks_waiting: '此文件夹带有你尚未允许的钩子，所以都不会运行。请在设置的“钩子”中查看。',
  answer_stopped: '回答已停止。已收到的内容已保留。发送消息或重试即可继续。',
  stream_cut:
    '与 {provider} 的连接在回答中途断开。已收到的内容已保留，其中的步骤均未执行。重试即可重新提问。',
  thread_too_long: '会话对此模型来说过长。没有内容丢失。请选择上下文更大的模型，或在新会话中继续。',
  provider_key_missing: '{provider} 需要密钥，但还没有。你的消息已保留。请添加密钥，然后重试。',
  provider_key_missing_variable:
    '{provider} 需要密钥，但还没有。你的消息已保留。请添加密钥，或在启动 Deepdesk 前设置 {variable}，然后重试。',
  key_rejected: '{provider} 不接受此密钥。你的消息已保留。请检查密钥或输入其他密钥，然后重试。',
  access_refused:
    '{provider} 拒绝访问（状态 {status}）。你的消息已保留。其原话见下；请检查密钥和账户，或选择其他模型，然后重试。',
  no_credit:
    '{provider} 的账户已没有余额或配额。你的消息已保留。请检查账户的套餐和账单，或选择其他模型，然后重试。',
  rate_limited: '{provider} 暂时不再接受请求。你的消息已保留。请稍后重试。',
  rate_limited_seconds: '{provider} 暂时不再接受请求。你的消息已保留。请在 {count} 秒后重试。',
  rate_limited_minutes: '{provider} 暂时不再接受请求。你的消息已保留。请在 {count} 分钟后重试。',
  overloaded: '{provider} 目前无法回答：服务过载或出现故障。你的消息已保留。请稍后重试，或选择其他模型。',
  overloaded_status:
    '{provider} 目前无法回答：服务过载或出现故障（状态 {status}）。你的消息已保留。请稍后重试，或选择其他模型。',
  server_unreachable:
    '无法连接 {provider} 的地址。你的消息已保留。请检查服务器是否在运行以及地址是否正确，然后重试。',
  provider_unreachable: '无法连接 {provider}。你的消息已保留。请检查网络连接，然后重试。',
  provider_refused: '{provider} 拒绝回答。你的消息已保留。请换一种说法，或选择其他模型。',
  model_unknown: '{provider} 没有此模型。你的消息已保留。请选择其他模型，然后重试。',
  model_unknown_or_no_answer:
    '{provider} 没有此模型，或该地址没有响应。你的消息已保留。请选择其他模型，然后重试。',
  call_garbled:
    '{provider} 的模型写出了无法读取的工具调用。没有执行任何内容，你的消息已保留。请重试，或选择其他模型。',
  request_rejected: '{provider} 不接受此请求。你的消息已保留。其原话见下；请重试，或选择其他模型。',
  request_rejected_status:
    '{provider} 不接受此请求（状态 {status}）。你的消息已保留。其原话见下；请重试，或选择其他模型。',
  request_failed: 'Deepdesk 内部出错。你的消息已保留。请重试；如再次发生，下方文字有助于查明原因。',
  empty_answer: '模型给出了空的回答。没有丢失任何内容；请再问一次，或选择其他模型。',
} as const;
