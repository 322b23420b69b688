import { REASONS } from '../../../src-renderer/i18n/errors';
import type { Language, Words } from './language';
import { code, cut } from './quoted';

const join = (parts: readonly string[]) => parts.join('，');
/** The first few names, and the total number. */
const some = (names: readonly string[], most = 8) =>
  `${names.slice(0, most).map(code).join('、')}${names.length > most ? ` 等 ${names.length} 个` : ''}`;

const starters = ['列出文件', '读取 README.md', '演示'];

const words: Words = {
  listed: (dir, names) =>
    names.length === 0
      ? `列出了 ${code(dir)}，里面是空的`
      : `列出了 ${code(dir)} 中的 ${names.length} 项（${some(names)}）`,
  read: (file, lines) => `读取了 ${code(file)} 的 ${lines} 行`,
  found: (text, matches, first, omitted) => {
    if (first === null && omitted === 0) return `在隐藏和被忽略的文件之外查找了 ${code(cut(text))}，没有找到`;
    const inProtected = '在受保护的文件中，读取前需要你同意';
    if (first === null) return `找到 ${code(cut(text))} ${omitted} 处，都${inProtected}`;
    const place = `${code(first.path)}${first.line === undefined ? '' : ` 第 ${first.line} 行`}`;
    return `找到 ${code(cut(text))} ${matches} 处，第一处在 ${place}${omitted === 0 ? '' : `，另有 ${omitted} 处${inProtected}`}`;
  },
  matched: (glob, files) =>
    files.length === 0
      ? `没有找到与 ${code(glob)} 匹配的文件`
      : `找到 ${files.length} 个与 ${code(glob)} 匹配的文件（${some(files)}）`,
  created: (file) => `写入了 ${code(file)}`,
  replaced: (from, to, file) => `在 ${code(file)} 中把 ${code(cut(from))} 替换为 ${code(cut(to))}`,
  deleted: (file) => `删除了 ${code(file)}`,
  ran: (command, exitCode) =>
    exitCode === null ? `运行了 ${code(cut(command))}` : `运行了 ${code(cut(command))}（退出码 ${exitCode}）`,
  answered: (what, answer) => `采用了你对 ${code(cut(what))} 的回答：${cut(answer)}`,
  remembered: (file, added) => (added ? `补充到了记忆 ${code(file)}` : `记在了 ${code(file)}`),
  recalled: (notes, about) =>
    notes.length === 0
      ? `在记忆中没有找到${about === null ? '任何内容' : `与 ${code(cut(about))} 有关的内容`}`
      : `找到 ${notes.length} 条记忆（${some(notes)}）`,
  forgot: (file) => `忘记了 ${code(file)}`,
  planned: (items) => `写下了 ${items.length} 步的计划`,
  delegated: (request) => `让子代理完成了 ${code(cut(request))}`,

  summary: (clauses) => `我${join(clauses)}。`,
  refused: (what, why) => `${code(cut(what))} 被拒绝（${REASONS.zh.sentences(why)}）`,
  failed: (what, reason) => `${code(cut(what))} 没有成功（${reason}）`,
  discarded: (command) => `你丢弃了 ${code(cut(command))} 所做的更改`,
  exited: (command, exitCode) => `${code(cut(command))} 以退出码 ${exitCode} 结束`,
  timedOut: (command) => `${code(cut(command))} 用时过长，已被结束`,
  rejected: (what, message) =>
    `你拒绝了 ${code(cut(what))}${message === null ? '' : `（“${cut(message)}”）`}，所以没有执行`,
  noResult: (what) => `${code(cut(what))} 在完成之前被取消`,
  noTool: (what, tool) => `${code(cut(what))} 需要工具 ${code(tool)}，这里没有提供`,
  nothingToAppend: (file) => `记忆 ${code(file)} 无法作为文本读取，所以没有补充内容`,
  stopped: ({ step, steps, failures, done, left }) =>
    [
      `已停止${steps > 1 ? `在第 ${step} 步（共 ${steps} 步）` : ''}：${join(failures)}`,
      done.length > 0 ? `；在此之前我${join(done)}` : '',
      left.length > 0 ? `；尚未开始：${left.map((one) => code(cut(one))).join('、')}` : '',
      '。',
    ].join(''),
  help: (rows) =>
    [
      '我是离线助手，不是语言模型：我能理解一小组请求，并把每个请求变成模型会发出的工具调用，',
      '因此不需要密钥和网络就可以试用 Deepdesk 的全部功能。\n\n',
      '| 这样说 | 会发生什么 |\n| --- | --- |\n',
      ...rows.map(({ request, what }) => `| \`${request}\` | ${what} |\n`),
      '\n在两个请求之间写“然后”，或者每行写一个，就会依次执行；用 ` + ` 隔开则同时执行。',
      '想与语言模型对话，请在模型选择器中选择一个。',
    ].join(''),
  notUnderstood: (unclear, near, whole) =>
    [
      `我没有理解 ${code(cut(unclear))}${whole ? '。' : '，所以什么都没有做。'}`,
      near.length > 0 ? '你是不是想说：\n\n' : '我是离线助手，不是语言模型，只理解少量请求。可以试试：\n\n',
      ...(near.length > 0 ? near : starters).map((request) => `- ${code(request)}\n`),
      `\n写 ${code('帮助')} 可以查看我理解的全部请求。`,
    ].join(''),
};

export const chinese: Language = {
  id: 'zh',
  space: 'any',
  thenWord: /\s*[，,；;。]?\s*(?:然后|接着)[，,]?\s*/uy,
  opening: /^\s*(?:(?:[-*•]|\d+[.)、])\s*)?(?:(?:请|麻烦|先|再|最后|帮我)[，,]?\s*)*/u,
  words,
  starters,
  examples: [
    {
      action: 'list',
      request: '列出 notes 中的文件',
      what: '列出文件夹',
      cues: ['列出', '显示', '目录', '文件夹'],
    },
    {
      action: 'read',
      request: '读取 README.md 从第 3 行',
      what: '读取文件',
      cues: ['读', '看', '打开', '解释'],
    },
    { action: 'find', request: '在 src 中查找 "total"', what: '在文件中搜索', cues: ['找', '搜'] },
    { action: 'files', request: '文件 *.md', what: '按名称查找文件', cues: ['哪些文件'] },
    {
      action: 'create',
      request: '创建 hello.txt 内容为 "你好\\n世界"',
      what: '写入文件',
      cues: ['创建', '新建', '写', '添加'],
    },
    {
      action: 'replace',
      request: '把 hello.txt 中的 "你好" 替换为 "早上好"',
      what: '编辑文件',
      cues: ['替换', '改', '修', '编辑'],
    },
    { action: 'delete', request: '删除 hello.txt', what: '删除文件', cues: ['删', '移除'] },
    {
      action: 'run',
      request: '运行 node --test',
      what: '在终端中运行命令',
      cues: ['运行', '执行', '测试', '启动'],
    },
    { action: 'remember', request: '记住 茶：我喝绿茶', what: '写入记忆', cues: ['记住', '记下'] },
    { action: 'recall', request: '关于茶你记得什么', what: '查找记忆', cues: ['记得', '记忆'] },
    { action: 'forget', request: '忘记 茶', what: '删除记忆', cues: ['忘'] },
    { action: 'plan', request: '计划：读笔记；修好测试；告诉我', what: '写下计划', cues: ['计划', '步骤'] },
    { action: 'delegate', request: '委托：读取 README.md', what: '交给子代理', cues: ['委托', '子代理'] },
    { action: 'demo', request: '演示', what: '连续展示几个步骤', cues: ['演示', '示例'] },
  ],
  grammar: [
    [
      'list',
      '(列出|显示|查看) [(所有|全部)] 文件',
      '(列出|显示|查看) {dir} [(中|里|下|目录|文件夹|里面)] 的 [(所有|全部)] 文件',
      '(列出|显示|查看) [(所有|全部)] 文件 在 {dir} [(中|里|下)]',
      '在 {dir} (中|里|下) (列出|显示|查看) [(所有|全部)] 文件',
    ],
    [
      'read',
      '从 第 {line} 行 [(开始|起)] (读取|阅读|打开|读) [文件] {file}',
      '(读取|阅读|打开|读) [文件] {file} [[，] 从 第 {line} 行 [(开始|起)]]',
    ],
    ['files', '(查找|匹配|列出) 文件 {glob}', '文件 {glob}'],
    [
      'find',
      '在 {dir} (中|里|下) (查找|搜索) {text}',
      '(查找|搜索) {text} 在 {dir} (中|里|下)',
      '(查找|搜索) {text}',
    ],
    ['create', '(创建|新建|写入) [文件] {file} [，] 内容 [(为|是|：|:)] {text}'],
    [
      'replace',
      '(把|将) {file} (中|里) [的] (所有|全部) [的] {from} (替换为|替换成|改为|改成) {to}',
      '(把|将) {file} (中|里) [的] {from} (替换为|替换成|改为|改成) {to}',
      '在 {file} (中|里) [，] (把|将) {from} (替换为|替换成|改为|改成) {to}',
      '替换 {file} (中|里) [的] {from} (为|成) {to}',
      '(把|将) (所有|全部) [的] {from} (替换为|替换成|改为|改成) {to} 在 {file} [(中|里)]',
      '(把|将) {from} (替换为|替换成|改为|改成) {to} 在 {file} [(中|里)]',
      '替换 {from} (为|成) {to} 在 {file} [(中|里)]',
    ],
    ['delete', '删除 [(文件|文件夹)] {file}'],
    ['run', '(运行|执行) [命令] {rest}'],
    [
      'recall',
      '你 [还] (记得|知道) [些] 什么',
      '关于 {text} [，] 你 [还] (记得|知道) [些] 什么',
      '你 [还] (记得|知道) [些] 什么 关于 {text} [的] [(事|内容)]',
      '你 [还] (记得|知道) 关于 {text} 的 (什么|哪些) [(事|内容)]',
    ],
    ['remember', '(记住|记下) [(：|:|，)] {rest}'],
    ['forget', '(忘记|忘掉) {file}'],
    ['plan', '计划 (：|:) {rest}'],
    ['delegate', '(委托|交给子代理) (：|:) {rest}'],
    ['demo', '[运行] 演示'],
  ],
};
