import type { errors as en } from '../en/errors';
import type { Same } from '../types';

export const errors: Same<typeof en> = {
  invalid: '无法这样操作。',
  not_found: '它已不存在。',
  denied: '不允许这样做。',
  conflict: '与当前状态不符。',
  stale: '内容已发生变化，请重新查看。',
  binary: '这不是文本。',
  special: '这不是普通文件。',
  too_large: '内容过大。',
  timeout: '用时过长。',
  cancelled: '已取消。',
  unsupported: '此系统不支持该操作。',
  storage: '无法保存或读取。',
  folder_gone: '文件夹已不存在。',
  no_key: '需要密钥。请在设置中输入。',
  bad_key: '服务商拒绝了密钥。请在设置中检查。',
  network: '无法连接服务商。请检查网络。',
  rate_limited: '服务商要求减少请求。请稍后再试。',
  overloaded: '服务商负载过高。请稍后再试。',
  stream_cut: '回答中断。请重试。',
  context_overflow: '会话过长，超出模型的上下文。',
  refused: '模型拒绝回答。',
  spending_limit: '已达到支出上限。',
  no_price: '模型价格未知。',
  provider: '服务商返回了错误。',
  internal: '内部出错。',
  said: '{words}（{original}）',
};

/** What the main process says most often, word for word. */
export const known: Readonly<Record<string, string>> = {
  'Diagrams are drawn in the window only.': '图表只能在窗口中绘制。',
  'This diagram takes too long to draw.': '绘制此图表耗时过长。',
  'This picture is too large to show here: it has more than 100 megapixels, or too many frames. Open it in another program.':
    '此图片太大，无法在此显示：超过 1 亿像素，或帧数过多。请用其他程序打开。',
  'This picture is too large to show here: it has more than 100 megapixels, or too many frames. Attach a smaller copy.':
    '此图片太大，无法在此显示：超过 1 亿像素，或帧数过多。请添加较小的副本。',
  'This picture is too large to show here. Ask the agent for a smaller one.':
    '此图片太大，无法在此显示。请让智能体提供较小的图片。',
  'This picture is damaged or of an unknown kind. Open it in another program.':
    '此图片已损坏或格式未知。请用其他程序打开。',
  'This picture is damaged or of an unknown kind. Attach it as PNG, JPEG, GIF or WebP.':
    '此图片已损坏或格式未知。请以 PNG、JPEG、GIF 或 WebP 格式添加。',
  'Pictures are drawn in the window only.': '图片只能在窗口中绘制。',
  'This picture is larger than 10 MB, so it is not drawn.': '此图片大于 10 MB，因此不绘制。',
  'This picture takes too long to draw. Its source can be read.': '绘制此图片耗时过长。你可以查看其源代码。',
  'This picture cannot be drawn.': '无法绘制此图片。',
  'This is not a diagram.': '这不是图表。',
  'This needs your consent in a dialog, which only the desktop app can show.':
    '这需要你在提示框中确认，只有桌面应用能够显示提示框。',
  'Deepdesk already asks you something. Answer that dialog first.':
    'Deepdesk 已有一个提示框在等你回应。请先回应它。',
  'You cancelled this. Nothing was changed.': '你已取消。没有更改任何内容。',
  'The key in {} is not sent to {}: only the saved settings name that address. Your message is kept. Save the address again in the settings, or pass it with --base-url, then try again.':
    '{} 中的密钥不会发送到 {}：只有已保存的设置中有此地址。你的消息已保留。请在设置中重新保存地址，或用 --base-url 指定，然后重试。',
  'Your key for {} belongs to {} and is not sent to {}. Your message is kept. Enter the key again to use it there, then try again.':
    '你的 {} 密钥属于 {}，不会发送到 {}。你的消息已保留。要在那里使用，请重新输入密钥，然后重试。',
  'This thread does not exist any more.': '此会话已不存在。',
  'This message is not in the thread any more.': '此消息已不在会话中。',
  'There is nothing in this message.': '此消息没有内容。',
  'This project is not in the list any more.': '此项目已不在列表中。',
  'This project does not exist any more.': '此项目已不存在。',
  'This thread cannot be restored.': '无法恢复此会话。',
  'This call no longer waits for a decision.': '此操作不再等待决定。',
  'This call no longer waits for a decision. Nothing was run.': '此操作不再等待决定。没有执行任何内容。',
  'The call has changed since it was shown. Check it again before you decide.':
    '此操作在显示后已发生变化。请重新查看后再决定。',
  'The file has changed since it was shown. Check it again.': '文件在显示后已发生变化，请重新查看。',
  'This memory was changed while you were editing it.': '你编辑期间，此记忆已被更改。',
  'A whole disk cannot be opened as a project. Choose a folder in it.':
    '不能将整个磁盘作为项目打开。请选择其中的文件夹。',
  'Only web and mail addresses can be opened from here.': '此处只能打开网页和邮件地址。',
  'The agent is at work. Stop it, or wait until it is done, and try again.':
    '智能体正在工作。请停止它或等待完成后再试。',
  'The agent is at work. Compact the thread when this turn has ended.':
    '智能体正在工作。请在本轮结束后再压缩会话。',
  'There is nothing to try again in this thread.': '此会话中没有可重试的内容。',
  'This terminal no longer exists.': '此终端已不存在。',
  'This terminal still runs.': '此终端仍在运行。',
  'This rule is not there any more.': '此规则已不存在。',
  'This message was sent already.': '此消息已发送。',
  'There is nothing to undo.': '没有可撤回的内容。',
  'The key is empty.': '密钥为空。',
  'The address must begin with http:// or https://.': '地址必须以 http:// 或 https:// 开头。',
  'The value could not be put into the keychain.': '无法存入钥匙串。',
  'Nothing can be written to the data folder. Make sure that the disk has space and can be written to, then start Deepdesk again.':
    '无法写入数据文件夹。请确认磁盘有空间且可写入，然后重新启动 Deepdesk。',
  'There is no keychain on this computer.': '此计算机上没有钥匙串。',
  'A memory needs a name.': '记忆需要名称。',
  'Open a project first.': '请先打开一个项目。',
  'Deepdesk is not connected yet. Try again in a moment.': 'Deepdesk 尚未连接，请稍后再试。',
  'The connection to Deepdesk was lost. Close this window and open it again; nothing saved is lost.':
    '与 Deepdesk 的连接已断开。请关闭此窗口后重新打开；已保存的内容不会丢失。',
  'Something went wrong inside Deepdesk. Nothing was changed by this step.':
    'Deepdesk 内部出错。此步骤没有更改任何内容。',
};
