import { saidOfCalls } from './said-of-calls';

/**
 * What the main process says in English where a person reads it: errors, why a call asks or is refused, what a rule
 * would do. `{}` is a place, a name, a number or a reason; in Chinese the first `{}` is the first of the English.
 * Full stops at the end and capitals at the beginning are left out on both sides.
 */
export const said: Readonly<Record<string, string>> = {
  ...saidOfCalls,

  // The wire
  Cancelled: '已取消',
  'There is no command "{}"': '没有命令“{}”',
  'What was there before is forgotten already': '之前的内容已经清除，无法恢复',

  // Warnings
  'The system has no file watches left, so changes made by other programs show up a few seconds late. Raising fs.inotify.max_user_watches helps':
    '系统已没有可用的文件监视，因此其他程序所做的更改会晚几秒显示。调高 fs.inotify.max_user_watches 可以解决',
  'The data file was damaged and could not be read. It is kept as {}, and Deepdesk has started with an empty one':
    '数据文件已损坏，无法读取。它保留为 {}，Deepdesk 已用空的数据文件启动',
  'Other users of this computer may be able to read {}: its permissions could not be changed':
    '这台电脑的其他用户可能可以读取 {}：无法更改其权限',
  'These MCP servers want you to sign in before their tools can be used: {}. Sign in under MCP servers in the settings':
    '这些 MCP 服务器要求先登录才能使用其工具：{}。请在设置的“MCP 服务器”中登录',
  'These MCP servers want you to sign in, which the headless command cannot: {}. Give them a token by a variable, such as "headers": {"Authorization": "Bearer {}"} in mcp.json':
    '这些 MCP 服务器要求登录，而无窗口的命令无法登录：{}。请通过变量为其提供令牌，例如在 mcp.json 中写 "headers": {"Authorization": "Bearer {}"}',
  'The folder {} brings MCP servers that start only with your consent: {}. Review them in the settings':
    '文件夹 {} 带有 MCP 服务器，须经你同意才会启动：{}。请在设置中查看',
  '{} was not loaded: {}': '未加载 {}：{}',
  '{} was left out: {}': '已略过 {}：{}',
  'The agent in {} was left out: {}': '已略过 {} 中的智能体：{}',
  '{}: the name "{}" should be at most 64 lower-case letters, digits and single hyphens':
    '{}：名称“{}”最多只能有 64 个小写字母、数字和单个连字符',
  '{}: the name "{}" should be that of its folder, "{}"': '{}：名称“{}”应与其文件夹“{}”相同',
  '{}: the description was cut at {} characters': '{}：说明已截至 {} 个字符',
  'it is larger than 10 MB': '它超过 10 MB',
  'its frontmatter needs a name and a description': '它的开头信息需要有名称和说明',
  'it does not begin with frontmatter between two lines of ---': '它没有以两行 --- 之间的信息开头',
  'its frontmatter is not YAML ({})': '它的开头信息不是 YAML（{}）',
  'its frontmatter is not a list of names and values': '它的开头信息不是名称和值的列表',

  // Attachments and media
  'This terminal has not shown anything yet': '此终端还没有任何输出',
  'This thread has not changed any file': '此会话没有更改任何文件',
  '“{}” is no longer kept. Remove it, or attach it again': '“{}”已不再保留。请移除它，或重新添加',
  'This attachment is not kept any more': '此附件已不再保留',
  'The attachment could not be saved. Free some space on the disk and try again':
    '无法保存附件。请腾出磁盘空间后再试',
  '“{}” is larger than {} MB and was not attached. Put it into the folder and name it with @':
    '“{}”超过 {} MB，未添加。请将其放入文件夹，并用 @ 指明',
  'The attachments of this thread would be larger than {} MB. Put the file into the folder and name it with @':
    '此会话的附件将超过 {} MB。请将文件放入文件夹，并用 @ 指明',
  'This picture is not kept any more': '此图片已不再保留',

  // Conversations
  'Only the last compaction of a thread that is still in effect can be undone':
    '只能撤销会话中最近一次仍然有效的压缩',
  'Only messages of yours and of the agent can be pinned': '只能固定你和智能体的消息',
  'Only your own messages and those of the agent itself can be gone on from':
    '只能从你自己或智能体本身的消息继续',
  'The file {} could not be read': '无法读取文件 {}',
  'The file {} could not be written. Choose another place': '无法写入文件 {}。请选择其他位置',
  'The file is larger than {} MB and was not read': '文件超过 {} MB，未读取',
  'Files can only be chosen in the window': '只能在窗口中选择文件',
  'This file is not JSON. Choose one that was exported as JSON from a thread':
    '此文件不是 JSON。请选择从会话导出的 JSON 文件',
  'This file is not a thread exported from Deepdesk': '此文件不是从 Deepdesk 导出的会话',
  'This file is damaged and cannot be read': '此文件已损坏，无法读取',
  'This file is damaged: a message stands in it twice': '此文件已损坏：有一条消息重复',
  'This file is damaged: a call stands in it twice': '此文件已损坏：有一项操作重复',
  'This thread was exported by a newer Deepdesk. Update Deepdesk to read it':
    '此会话由更新版本的 Deepdesk 导出。请更新 Deepdesk 后再读取',
  'This thread has not changed that file': '此会话没有更改过该文件',
  'This change is not there any more. Check the file again': '此更改已不存在。请重新查看文件',
  'Compacting was stopped. Nothing has changed': '已停止压缩，没有任何更改',
  'This sub-agent has already finished': '此子智能体已结束',
  'Only sub-agents can be stopped by themselves': '只有子智能体可以单独停止',
  'The agent is at work in this project. Stop it first': '智能体正在此项目中工作。请先停止它',
  'There are no windows here': '此处没有窗口',
  'This part of the thread is not there any more': '会话的这一部分已不存在',
  'Deepdesk is closing. Nothing was started; send it again after the next start':
    'Deepdesk 正在关闭，没有开始任何操作。请在下次启动后重新发送',
  'This call cannot be answered by "{}"': '此操作不能用“{}”来回应',
  'Another Deepdesk is running this thread. Wait until it is done, or stop it there':
    '另一个 Deepdesk 正在运行此会话。请等待完成，或在那里停止',

  // Rules and modes
  'This mode asks less than the one that is set. Confirm it first': '此模式比当前模式询问得少。请先确认',
  'Commands of this system’s shell are not read, so there are no rules for them':
    '无法解析此系统的 shell 命令，因此没有相应的规则',

  // Data
  'Deepdesk is copying or testing data already. Wait until that has ended':
    'Deepdesk 正在复制或检验数据。请等待结束',
  'This is the data itself. Choose another place': '这是数据本身的位置。请选择其他位置',
  'No backup was chosen yet. Choose one first': '尚未选择备份。请先选择',
  'Data is restored in the window only': '只能在窗口中恢复数据',
  'Data is deleted in the window only': '只能在窗口中删除数据',
  'Cancelled. Nothing was changed': '已取消，没有任何更改',
  'This file is no backup of Deepdesk, or it is damaged. Your data was not changed':
    '此文件不是 Deepdesk 的备份，或已损坏。你的数据没有更改',
  'The folder {} is not there. Choose another place': '文件夹 {} 不存在。请选择其他位置',
  'The file could not be read: {} Your data was not changed': '无法读取文件：{}你的数据没有更改',
  'The copy could not be made: {} Your data was not changed': '无法制作副本：{}你的数据没有更改',
  'the disk is full. Free some space or choose another place': '磁盘已满。请腾出空间或选择其他位置',
  'check the place and its permissions, or choose another': '请检查该位置及其权限，或选择其他位置',
  'The copy is not complete ({}). It was not kept; try again': '副本不完整（{}），未保留。请重试',
  'The copy is damaged and was not used. Choose another': '副本已损坏，未使用。请选择其他备份',
  'The data file {} could not be opened: {}': '无法打开数据文件 {}：{}',
  'The data file {} was written by a newer Deepdesk (format {}, this one knows {}). Update Deepdesk to open it; the file was not changed':
    '数据文件 {} 由更新版本的 Deepdesk 写入（格式 {}，当前版本支持 {}）。请更新 Deepdesk 后再打开；文件没有更改',
  'The backup was restored. What was there before is kept as {}': '备份已恢复。之前的数据保留为 {}',
  "Chromium's own sandbox is off. {}": 'Chromium 自身的沙箱已关闭。{}',

  // Files
  '{} could not be put back: something else is there now, or the trash was emptied':
    '无法放回 {}：该处已有其他内容，或回收站已清空',
  '{} is outside the project folder': '{} 位于项目文件夹之外',
  '{} is outside the project folder, or reached through a link': '{} 位于项目文件夹之外，或经由链接到达',
  'A folder cannot be moved into itself': '文件夹不能移动到自身之中',
  'A folder cannot be copied into itself': '文件夹不能复制到自身之中',
  'The parts of the file did not come one after the other': '文件的各部分未按顺序到达',
  'That cannot be done with the project folder itself': '不能对项目文件夹本身这样操作',
  'It can be taken out of the trash of the system': '可以从系统的回收站中取回',
  '{} is larger than 4 GB. Copy it into the folder with the file manager':
    '{} 超过 4 GB。请用文件管理器复制到文件夹中',
  'There is no trash to move it to': '没有可用的回收站',
  'This is not text': '这不是文本',
  'This file is larger than 10 MB, so it is shown by pages and not edited here':
    '此文件超过 10 MB，因此分页显示，不能在此编辑',
  'This kind of file cannot be shown as a picture or video': '此类文件不能作为图片或视频显示',
  'The system would run this file. Show it in the file manager and open it there':
    '系统会运行此文件。请在文件管理器中显示并打开',
  'Nothing can be dragged from here': '无法从此处拖出内容',
  'There is no other program to open it with': '没有其他程序可以打开它',
  'No program of the system opened this file': '系统中没有程序打开此文件',
  'Only files of the project folder can be shown there': '只能显示项目文件夹中的文件',
  'The system does not let Deepdesk read {}': '系统不允许 Deepdesk 读取 {}',
  '{} no longer exists': '{} 已不存在',
  '{} is not a folder': '{} 不是文件夹',
  'The folder {} no longer exists': '文件夹 {} 已不存在',
  'The folder {} does not exist': '文件夹 {} 不存在',
  'This folder is in the list already, as “{}”. Choose another one':
    '此文件夹已在列表中，名为“{}”。请选择其他文件夹',
  'This project cannot be restored': '无法恢复此项目',

  // Memories
  'There is a memory {} already. Choose another name': '已有记忆 {}。请选择其他名称',
  'There is a memory {} already': '已有记忆 {}',
  'There is no memory {}': '没有记忆 {}',
  'This memory was changed again since. Open it in Memories to edit it':
    '此记忆之后又被更改。请在“记忆”中打开并编辑',
  'Choose the folder again': '请重新选择文件夹',
  'Memories were changed since you saw what is new. Choose the folder again':
    '在你查看之后记忆已被更改。请重新选择文件夹',
  'The folder could not be used: {}': '无法使用该文件夹：{}',
  'This version is not kept any more': '此版本已不再保留',
  'This version is not kept any more, or is a delete': '此版本已不再保留，或是一次删除',
  'This memory was changed since you read it. Read it again first': '此记忆在你读取后已被更改。请重新读取',

  // Models
  '"{}" names no provider that Deepdesk knows. Nothing was changed':
    '“{}”不是 Deepdesk 已知的服务商。没有任何更改',
  'The agent has no tool named "{}". Nothing was changed': '智能体没有名为“{}”的工具。没有任何更改',
  'The agent cannot do without {}: long results are put into files. Nothing was changed':
    '智能体不能没有 {}：较长的结果会放入文件。没有任何更改',
  '{} is not usable: {}. Nothing was changed': '{} 不可用：{}。没有任何更改',
  '"{}" names no model. Write provider:name, where the provider is one of {}':
    '“{}”不是模型。请按“服务商:名称”的格式填写，服务商可为 {}',
  "{} has no address yet. Your message is kept. Enter the server's address (such as http://127.0.0.1:1234/v1), then try again":
    '{} 还没有地址。你的消息已保留。请输入服务器地址（例如 http://127.0.0.1:1234/v1）后再试',
  '"{}" is not a server address. It must begin with http:// or https://':
    '“{}”不是服务器地址。地址必须以 http:// 或 https:// 开头',
  '{} needs a key, and there is none yet. Your message is kept. Add a key, or set {} before Deepdesk is started, then try again':
    '{} 需要密钥，但还没有。你的消息已保留。请添加密钥，或在启动 Deepdesk 前设置 {}，然后重试',
  'The price of {} is not known, so your spending limit cannot be kept with it. The request was not sent, and your message is kept. Enter the price in the settings, remove the limit, or choose another model, then retry':
    '{} 的价格未知，无法按支出上限控制。请求未发送，你的消息已保留。请在设置中输入价格、取消上限或选择其他模型，然后重试',
  '{} has spent {} of the {} that it may, and the next request may cost about {}. It was not sent, and your message is kept. Raise the limit in the settings, or choose a cheaper model, then retry':
    '{}已花费 {}（上限 {}），下一次请求约需 {}。请求未发送，你的消息已保留。请在设置中提高上限或选择更便宜的模型，然后重试',
  'This thread': '此会话',
  'Today Deepdesk': '今天 Deepdesk ',
  'The answer was stopped. What came of it is kept. Send a message or retry to go on':
    '回答已停止。已收到的内容已保留。发送消息或重试即可继续',
  'The connection to {} broke in the middle of the answer. What came is kept, and no step of it was run. Retry to ask again':
    '与 {} 的连接在回答中途断开。已收到的内容已保留，其中的步骤均未执行。重试即可重新提问',
  'The thread has become too long for this model. Nothing is lost. Choose a model with a larger context, or go on in a new thread':
    '会话对此模型来说过长。没有内容丢失。请选择上下文更大的模型，或在新会话中继续',
  '{} needs a key, and there is none yet. Your message is kept. Add a key{}, then retry':
    '{} 需要密钥，但还没有。你的消息已保留。请添加密钥{}，然后重试',
  ', or set {} before Deepdesk is started': '，或在启动 Deepdesk 前设置 {}',
  '{} did not accept the key. Your message is kept. Check the key or enter another, then retry':
    '{} 不接受此密钥。你的消息已保留。请检查密钥或输入其他密钥，然后重试',
  "The account at {} has no credit or quota left. Your message is kept. Check the account's plan and billing, or choose another model, then retry":
    '{} 的账户已没有余额或配额。你的消息已保留。请检查账户的套餐和账单，或选择其他模型，然后重试',
  '{} takes no more requests for the moment. Your message is kept. Retry {}':
    '{} 暂时不再接受请求。你的消息已保留。请{}重试',
  'in a little while': '稍后',
  'in {} seconds': '在 {} 秒后',
  'in {} minutes': '在 {} 分钟后',
  'in 1 second': '在 1 秒后',
  'in 1 minute': '在 1 分钟后',
  '{} cannot answer right now: its service is overloaded or has a fault{}. Your message is kept. Retry in a little while, or choose another model':
    '{} 目前无法回答：服务过载或出现故障{}。你的消息已保留。请稍后重试，或选择其他模型',
  ' (status {})': '（状态 {}）',
  '{} could not be reached at its address. Your message is kept. Check that the server is running and the address is right, then retry':
    '无法连接 {} 的地址。你的消息已保留。请检查服务器是否在运行以及地址是否正确，然后重试',
  '{} could not be reached. Your message is kept. Check the connection to the Internet, then retry':
    '无法连接 {}。你的消息已保留。请检查网络连接，然后重试',
  '{} refused to answer this. Your message is kept. Put it in other words, or choose another model':
    '{} 拒绝回答。你的消息已保留。请换一种说法，或选择其他模型',
  '{} does not know this model{}. Your message is kept. Choose another model, then retry':
    '{} 没有此模型{}。你的消息已保留。请选择其他模型，然后重试',
  ', or nothing answers at this address': '，或该地址没有响应',
  'The model at {} wrote a tool call that could not be read. None of it was run, and your message is kept. Retry to ask again, or choose another model':
    '{} 的模型写出了无法读取的工具调用。没有执行任何内容，你的消息已保留。请重试，或选择其他模型',
  '{} did not accept the request{}. Your message is kept. Its own words are below; retry, or choose another model':
    '{} 不接受此请求{}。你的消息已保留。其原话见下；请重试，或选择其他模型',
  'Something went wrong in Deepdesk itself. Your message is kept. Retry; if it happens again, the text below helps to find the cause':
    'Deepdesk 内部出错。你的消息已保留。请重试；如再次发生，下方文字有助于查明原因',

  'Offline assistant': '离线助手',
  'OpenAI-compatible': 'OpenAI 兼容服务',

  // Secrets
  'Secrets of this project would be sent to the model. Confirm it first':
    '此项目的机密信息将发送给模型。请先确认',
  'This message has what looks like a secret in it. It was not sent. Take it out, redact it, or say that it may be sent':
    '此消息中似乎含有机密信息，未发送。请删去、隐去，或允许发送',
  '“{}” may hold passwords or keys. The message was not sent. Take the file off, or say that it may be sent':
    '“{}”可能含有密码或密钥，消息未发送。请移除该文件，或允许发送',
  'Its name is not UTF-8, so this cannot be done with it here. Rename it first':
    '其名称不是 UTF-8，因此无法在此执行此操作。请先重命名',
  'Its name is not UTF-8, so the system cannot be asked to show it': '其名称不是 UTF-8，因此无法让系统显示它',
  'The path {} has \\xHH in it, which stands for a byte of a name here. Rename it':
    '路径 {} 含有 \\xHH，它在此表示名称中的一个字节。请重命名',
  'This is one of Deepdesk’s own keys. It is shown nowhere': '这是 Deepdesk 自己的密钥，不会在任何地方显示',
  'This is one of Deepdesk’s own keys, or is not there any more': '这是 Deepdesk 自己的密钥，或已不存在',
  'There is no such secret in this thread': '此会话中没有这样的机密信息',
  'Deepdesk does not keep the values of secrets, and this one is no longer where it was seen':
    'Deepdesk 不保存机密信息的值，且它已不在原来的位置',

  // Terminals
  'Only commands of the agent are run again from here': '此处只能重新运行智能体的命令',
  'Only terminals of your own are started again': '只能重新启动你自己的终端',
  'The system could not open a terminal. Close some terminals and try again':
    '系统无法打开终端。请关闭一些终端后再试',
  'Deepdesk is closing': 'Deepdesk 正在关闭',
  'A terminal has {} to {} columns and rows': '终端的行数和列数为 {} 到 {}',
  'The program does not read what is typed. Wait, or interrupt it with Ctrl C':
    '程序没有读取输入的内容。请等待，或用 Ctrl C 中断',

  // MCP servers
  'You have a server named "{}" already': '你已有名为“{}”的服务器',
  '{} is not a list of servers. Correct it by hand, then save again': '{} 不是服务器列表。请手动更正后再保存',
  'Enter a value for "{}"': '请输入“{}”的值',
  'Enter the whole address: {} stands for a part that is not shown': '请输入完整的地址：{} 代表未显示的部分',
  'Enter the whole argument: {} stands for a part that is not shown': '请输入完整的参数：{} 代表未显示的部分',
  'The server "{}" was removed meanwhile': '服务器“{}”在此期间已被移除',
  'The server "{}" was removed already': '服务器“{}”已被移除',
  '{} could not be read': '无法读取 {}',
  '{} could not be read. {}': '无法读取 {}。{}',
  '{} could not be written': '无法写入 {}',
  'The keychain does not give out the value of "{}". Enter it again in the settings':
    '钥匙串未给出“{}”的值。请在设置中重新输入',
  'The value of "{}" is not there: values that are typed are kept in the keychain of the app, or, without one, until Deepdesk is closed. Enter it again in the settings, or name a variable of the environment':
    '没有“{}”的值：输入的值保存在应用的钥匙串中；没有钥匙串时只保留到 Deepdesk 关闭。请在设置中重新输入，或指定环境变量',
  'The MCP server "{}" is not there. {}': 'MCP 服务器“{}”不可用。{}',
  'This server is switched off': '此服务器已停用',
  'This server is not configured any more': '此服务器已不在配置中',
  'Its configuration has changed. Check it again before you allow it':
    '其配置在此期间已更改。请重新查看后再允许',
  'There is nothing to sign in to': '没有需要登录的内容',
  'The browser was not opened': '没有打开浏览器',
  'The sign-in was cancelled': '登录已取消',
  'The sign-in was refused': '登录被拒绝',
  'It refuses us without the right key. Put a token that you made on its website into its headers, such as Authorization: Bearer …':
    '没有正确的密钥，它拒绝连接。请在其网站上创建令牌，并填入标头，例如 Authorization: Bearer …',
  'The answer came from another server than the one that was asked, so it was not used':
    '应答来自另一台服务器，而不是所询问的那台，因此未使用',
  'The sign-in could not be put into the keychain': '无法将登录信息存入钥匙串',
  'Signing in to this server did not work. If it wants a token, make one on its website and put it into its headers, such as Authorization: Bearer …':
    '登录此服务器未成功。如果它需要令牌，请在其网站上创建，并填入标头，例如 Authorization: Bearer …',
  'This server lets no app sign in that it does not know beforehand. Make a token on its website and put it into its headers, such as Authorization: Bearer …':
    '此服务器不允许未预先登记的应用登录。请在其网站上创建令牌，并填入标头，例如 Authorization: Bearer …',
  'The sign-in took too long. Try it again': '登录用时过长。请重试',
  'The environment variable {} is not set': '未设置环境变量 {}',
  'You have a server of this name yourself, and yours is the one that is used. Rename one of them':
    '你自己已有同名的服务器，将使用你的那个。请为其中一个改名',
  'Its address is not an http or https address': '其地址不是 http 或 https 地址',
  'The program "{}" was not found, or its folder is not there': '找不到程序“{}”，或其文件夹不存在',
  'The program "{}" could not be started ({})': '无法启动程序“{}”（{}）',
  'It sent a message of more than 10 MB': '它发送了超过 10 MB 的消息',
  'It ended ({})': '它已结束（{}）',
  'exit code {}': '退出码 {}',
  'The connection was closed': '连接已关闭',
  'It could not be reached ({})': '无法连接到它（{}）',
  'It did not answer within {} s of its start': '它在启动后 {} 秒内没有应答',
  'It did not answer any more and was ended': '它不再应答，已被结束',
  'It printed lines that are no messages of the protocol, such as: {}': '它输出了不符合协议的行，例如：{}',
  'It wants the person to sign in, which they can do in the settings, under MCP servers':
    '它要求登录，可在设置的“MCP 服务器”中登录',
  'The server describes it in a form that the protocol does not have': '服务器对它的描述不符合协议',
  'The server names two tools so': '服务器有两个工具用了这个名称',
  'Only the first {} tools of a server are offered': '每个服务器只提供前 {} 个工具',
  'The form of its arguments cannot be understood (its schema is broken)':
    '无法理解其参数的形式（其结构定义有误）',
  'Its name must have 1 to 64 characters on one line': '其名称须为一行内的 1 到 64 个字符',
  'Its "url" is not an http or https address': '其“url”不是 http 或 https 地址',
  'Its sign-in could not be renewed': '无法续期其登录',
  'The entry cannot be used: {}': '该条目无法使用：{}',
  '"{}" cannot be used: {}': '“{}”无法使用：{}',
  'It is not valid JSON': '它不是有效的 JSON',
  'It has no object "mcpServers" with servers by name': '它没有按名称列出服务器的对象“mcpServers”',
  'It has no "command" to start': '它没有可启动的“command”',
  'It has neither a "command" nor a "url"': '它既没有“command”，也没有“url”',
  'It has a character that cannot be used (NUL)': '它含有不能使用的字符（NUL）',
  'It is not a file': '它不是文件',
  'It is too large for a list of servers': '作为服务器列表，它过大',
  'It cannot be read': '无法读取它',
  'It does not exist': '它不存在',
  'It is a link to a place outside the folder': '它是指向文件夹之外的链接',
  'You are not allowed to read it': '你没有读取它的权限',
  'It could not be read ({})': '无法读取它（{}）',
  'Its objects and lists are nested too deeply': '其中的对象和列表嵌套过深',
  'The server does not offer the tool "{}" any more': '服务器不再提供工具“{}”',
  'It would be called {}, which is a tool of {} already': '它会被称为 {}，而这已是 {} 的工具',
  'The server has no resources now': '服务器现在没有资源',
  'It was stopped': '它已停止',
  'It is not running': '它没有运行',
  'The server wants the sign-in to go to {}, which is not safe': '服务器要求到 {} 登录，这并不安全',
  'It named no page to sign in at': '它没有给出登录页面',
  'It wants you to sign in at {}, which is not safe': '它要求你在 {} 登录，这并不安全',
  'It gave no token': '它没有给出令牌',

  // Why a turn ended, and what a disk does to a command
  'The model gave an empty answer. Nothing was lost; ask it again, or choose another model':
    '模型给出了空的回答。没有丢失任何内容；请再问一次，或选择其他模型',
  'Deepdesk was closed while the agent was working. Everything up to the last finished step is kept, and nothing that ran is repeated without asking':
    '智能体工作时 Deepdesk 被关闭。到最后一个完成的步骤为止的内容都已保留，已运行的内容不会未经询问就重复',
  'Something went wrong in Deepdesk itself. Your message is kept. Retry to go on':
    'Deepdesk 内部出错。你的消息已保留。请重试以继续',
  '{} could not answer. {} answers in its place until this turn ends':
    '{} 无法回答。在本轮结束前由 {} 代为回答',
  'Deepdesk could not save to its data folder, so the agent was stopped. What was saved before is kept. Make sure that the disk has space and can be written to, then retry':
    'Deepdesk 无法保存到数据文件夹，因此已停止智能体。之前保存的内容已保留。请确认磁盘有空间且可写入，然后重试',
  'Deepdesk could not save this to its data folder, and did not do it. Make sure that the disk has space and can be written to, then try again':
    'Deepdesk 无法将此内容保存到数据文件夹，因此没有执行。请确认磁盘有空间且可写入，然后重试',
  'The model declined to answer this. Your message is kept, and no step of the answer was run. Put it in other words, or choose another model':
    '模型拒绝回答。你的消息已保留，回答中的任何步骤都没有运行。请换一种说法，或选择其他模型',
  'This thread does not fit the model any more, even when it is compacted. Nothing was lost. Choose a model with a larger context window, or begin a new thread':
    '即使压缩，此会话也超出了模型的上下文。没有丢失任何内容。请选择上下文窗口更大的模型，或开始新会话',
  'Your instructions for this model name a tool that the agent does not have, so nothing was sent. Correct them in the settings, under Instructions, then retry':
    '你为此模型写的指令提到了智能体没有的工具，因此没有发送任何内容。请在设置的“指令”中更正，然后重试',
  'The model asked several times in a row for calls that cannot be run, so the agent was stopped. Nothing was lost. Retry, or choose another model':
    '模型连续多次要求无法运行的调用，因此已停止智能体。没有丢失任何内容。请重试，或选择其他模型',
  'The agent took as many steps as one turn may have and did not come to an end, so it was stopped. What it did is kept. Retry to let it go on, or tell it what to do differently':
    '智能体用完了一轮允许的步数仍未结束，因此已停止。它所做的都已保留。请重试让它继续，或告诉它换一种做法',

  // The sandbox
  'bubblewrap is not installed. On Debian and Ubuntu: sudo apt install bubblewrap':
    '未安装 bubblewrap。在 Debian 和 Ubuntu 上：sudo apt install bubblewrap',
  'bubblewrap is installed but cannot be used here: {}': '已安装 bubblewrap，但无法在此使用：{}',
  'This macOS has no sandbox-exec': '此 macOS 没有 sandbox-exec',
  'sandbox-exec cannot be used here: {}': '无法在此使用 sandbox-exec：{}',
  'Deepdesk knows no sandbox for commands on this system': 'Deepdesk 在此系统上没有可用于命令的沙箱',
  'On macOS the sandbox has no network at all': '在 macOS 上，沙箱完全没有网络',
  'Neither perl nor python3 is installed, so the sandbox has no network at all':
    '未安装 perl 和 python3，因此沙箱完全没有网络',
  'System calls in the sandbox are not filtered: {}': '沙箱中的系统调用未被过滤：{}',
  'Commands in the sandbox may make namespaces of their own, which bubblewrap 0.8 could forbid: {}':
    '沙箱中的命令可以自行创建命名空间，bubblewrap 0.8 可以禁止这样做：{}',
  'The sandbox does not let commands reach {}': '沙箱不允许命令连接 {}',
  '{} could not be found': '找不到 {}',
};
