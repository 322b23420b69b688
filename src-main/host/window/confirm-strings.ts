import type { ApprovalMode } from '../../contract/control';
import type { MainLanguage } from './native-strings';

export interface Question {
  message: string;
  detail: string;
  /** Label of the confirming button. */
  action: string;
}

/** The text of a confirmation dialog, for each thing that Deepdesk confirms outside its window. */
export interface ConfirmStrings {
  mode(project: string, folder: string, from: ApprovalMode, to: ApprovalMode): Question;
  noSandbox(project: string, folder: string): Question;
  program(server: string, line: string, more: readonly string[]): Question;
  address(server: string, url: string, more: readonly string[]): Question;
  baseUrl(provider: string, url: string, before: string, withKey: boolean): Question;
  rule(rule: string, where: string): Question;
  host(host: string, where: string): Question;
  showSecrets(project: string, folder: string): Question;
  wipe(folder: string): Question;
  // Parts of a detail
  everywhere: string;
  inProject(project: string): string;
  inThread(thread: string): string;
  workingFolder(folder: string): string;
  variables(names: string): string;
  headers(names: string): string;
  /** Follows a text that is too long for a dialog. */
  more(characters: number): string;
}

const EN_MODES: Record<ApprovalMode, [name: string, hint: string]> = {
  'auto-sandbox': ['Auto in the sandbox', 'What changes only this folder runs without asking.'],
  'ask-risky': ['Ask before changes', 'What only reads runs without asking. Everything else asks.'],
  'ask-all': ['Ask for everything', 'Every step that leaves the thread asks.'],
  plan: ['Plan only', 'The agent reads and plans, and changes nothing.'],
};

const ZH_MODES: Record<ApprovalMode, [name: string, hint: string]> = {
  'auto-sandbox': ['沙箱内自动', '限制在此文件夹内的操作不经询问即运行。'],
  'ask-risky': ['更改前询问', '只读操作直接运行，其余询问。'],
  'ask-all': ['全部询问', '离开会话的每一步都询问。'],
  plan: ['仅规划', '智能体只阅读和规划，不做更改。'],
};

const lines = (...parts: (string | false)[]): string => parts.filter((part) => part !== false).join('\n');

export const CONFIRM_STRINGS: Readonly<Record<MainLanguage, ConfirmStrings>> = {
  en: {
    mode: (project, folder, from, to) => ({
      message: `Change “${project}” to “${EN_MODES[to][0]}”?`,
      detail: lines(EN_MODES[to][1], `Now: ${EN_MODES[from][0]}`, '', folder),
      action: 'Change mode',
    }),
    noSandbox: (project, folder) => ({
      message: `Run commands of “${project}” outside the sandbox?`,
      detail: lines(
        'Commands that run without asking can then read your files and use the network.',
        '',
        folder,
      ),
      action: 'Turn off sandbox',
    }),
    program: (server, line, more) => ({
      message: `Run this program as the MCP server “${server}”?`,
      detail: lines(line, '', ...more, 'It runs outside the sandbox, with your rights.'),
      action: 'Run program',
    }),
    address: (server, url, more) => ({
      message: `Connect to this address as the MCP server “${server}”?`,
      detail: lines(url, '', ...more, 'It receives what the agent passes to its tools.'),
      action: 'Connect',
    }),
    baseUrl: (provider, url, before, withKey) => ({
      message: `Send requests for ${provider} to this address?`,
      detail: lines(
        url,
        '',
        withKey ? `It receives your threads and your key for ${provider}.` : 'It receives your threads.',
        before !== '' && `Now: ${before}`,
      ),
      action: 'Use address',
    }),
    rule: (rule, where) => ({
      message: 'Let this run without asking from now on?',
      detail: lines(rule, '', where),
      action: 'Save rule',
    }),
    host: (host, where) => ({
      message: 'Let commands in the sandbox reach this host?',
      detail: lines(host, '', where),
      action: 'Allow host',
    }),
    showSecrets: (project, folder) => ({
      message: `Send secrets of “${project}” to the model?`,
      detail: lines('Passwords and keys in its files are no longer redacted.', '', folder),
      action: 'Send secrets',
    }),
    wipe: (folder) => ({
      message: 'Delete everything that Deepdesk has saved?',
      detail: lines('Threads, memories, settings and keys are deleted. You cannot undo this.', '', folder),
      action: 'Delete everything',
    }),
    everywhere: 'In every project',
    inProject: (project) => `In the project “${project}”`,
    inThread: (thread) => `In the thread “${thread}”`,
    workingFolder: (folder) => `Working folder: ${folder}`,
    variables: (names) => `Environment variables: ${names}`,
    headers: (names) => `Headers: ${names}`,
    more: (characters) => `… and ${characters} more characters`,
  },
  zh: {
    mode: (project, folder, from, to) => ({
      message: `将“${project}”改为“${ZH_MODES[to][0]}”？`,
      detail: lines(ZH_MODES[to][1], `当前：${ZH_MODES[from][0]}`, '', folder),
      action: '更改模式',
    }),
    noSandbox: (project, folder) => ({
      message: `在沙箱外运行“${project}”的命令？`,
      detail: lines('不经询问运行的命令将能读取你的文件并使用网络。', '', folder),
      action: '关闭沙箱',
    }),
    program: (server, line, more) => ({
      message: `将此程序作为 MCP 服务器“${server}”运行？`,
      detail: lines(line, '', ...more, '它在沙箱外以你的权限运行。'),
      action: '运行程序',
    }),
    address: (server, url, more) => ({
      message: `将此地址作为 MCP 服务器“${server}”连接？`,
      detail: lines(url, '', ...more, '它会收到智能体传给其工具的内容。'),
      action: '连接',
    }),
    baseUrl: (provider, url, before, withKey) => ({
      message: `将 ${provider} 的请求发送到此地址？`,
      detail: lines(
        url,
        '',
        withKey ? `它会收到你的会话和 ${provider} 的密钥。` : '它会收到你的会话。',
        before !== '' && `当前：${before}`,
      ),
      action: '使用地址',
    }),
    rule: (rule, where) => ({
      message: '今后不经询问即运行？',
      detail: lines(rule, '', where),
      action: '保存规则',
    }),
    host: (host, where) => ({
      message: '允许沙箱中的命令访问此主机？',
      detail: lines(host, '', where),
      action: '允许主机',
    }),
    showSecrets: (project, folder) => ({
      message: `将“${project}”的机密内容发送给模型？`,
      detail: lines('文件中的密码和密钥将不再隐去。', '', folder),
      action: '发送机密内容',
    }),
    wipe: (folder) => ({
      message: '删除 Deepdesk 保存的所有内容？',
      detail: lines('会话、记忆、设置和密钥都会被删除，且无法撤销。', '', folder),
      action: '全部删除',
    }),
    everywhere: '适用于所有项目',
    inProject: (project) => `适用于项目“${project}”`,
    inThread: (thread) => `适用于会话“${thread}”`,
    workingFolder: (folder) => `工作文件夹：${folder}`,
    variables: (names) => `环境变量：${names}`,
    headers: (names) => `标头：${names}`,
    more: (characters) => `……还有 ${characters} 个字符`,
  },
};
