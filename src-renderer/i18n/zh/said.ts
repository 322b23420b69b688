/**
 * Translations of the English messages that the main process shows, other than errors and reasons: warnings, and the states
 * of MCP servers. `{}` is a path, a name, a number or a reason; the first `{}` in Chinese is the first one in English. Final
 * periods and initial capitals are left out on both sides.
 */
export const said: Readonly<Record<string, string>> = {
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

  // Rules and modes
  'Commands of this system’s shell are not read, so there are no rules for them':
    '无法解析此系统的 shell 命令，因此没有相应的规则',

  'The backup was restored. What was there before is kept as {}': '备份已恢复。之前的数据保留为 {}',
  "Chromium's own sandbox is off. {}": 'Chromium 自身的沙箱已关闭。{}',

  // Models
  'Offline assistant': '离线助手',
  'OpenAI-compatible': 'OpenAI 兼容服务',

  // MCP servers
  '{} could not be read. {}': '无法读取 {}。{}',
  'It refuses us without the right key. Put a token that you made on its website into its headers, such as Authorization: Bearer …':
    '没有正确的密钥，它拒绝连接。请在其网站上创建令牌，并填入标头，例如 Authorization: Bearer …',
  'You have a server of this name yourself, and yours is the one that is used. Rename one of them':
    '你自己已有同名的服务器，将使用你的那个。请为其中一个改名',
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
