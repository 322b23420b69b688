import { describe, expect, it } from 'vitest';
import type { Action } from './actions';
import { parseRequest } from './parse';

/** The parsed request, without its original text. */
function steps(text: string): unknown {
  const request = parseRequest(text);
  if (!request.understood) return { help: request.language.id, unclear: request.unclear };
  return request.steps.map((step) => step.map(({ source: _, ...rest }: Action) => rest));
}
const only = (text: string) => {
  const all = steps(text);
  return Array.isArray(all) && all.length === 1 && all[0].length === 1 ? all[0][0] : all;
};

describe('one request in English', () => {
  it.each<[string, unknown]>([
    ['list files', { do: 'list', dir: null }],
    ['List the files.', { do: 'list', dir: null }],
    ['list files in src', { do: 'list', dir: 'src' }],
    ['list files in .', { do: 'list', dir: '.' }],
    ['list files in ..', { do: 'list', dir: '..' }],
    ['list files in "my folder"', { do: 'list', dir: 'my folder' }],
    ['read README.md', { do: 'read', file: 'README.md', fromLine: null }],
    ['please read README.md.', { do: 'read', file: 'README.md', fromLine: null }],
    ['read src/sum.ts from line 12', { do: 'read', file: 'src/sum.ts', fromLine: 12 }],
    ['read my notes.txt', { do: 'read', file: 'my notes.txt', fromLine: null }],
    ['read "my notes"', { do: 'read', file: 'my notes', fromLine: null }],
    ['find "TODO: fix" in src', { do: 'find', text: 'TODO: fix', dir: 'src' }],
    ['find TODO', { do: 'find', text: 'TODO', dir: null }],
    ['find "in src"', { do: 'find', text: 'in src', dir: null }],
    ['find two words in src', { do: 'find', text: 'two words', dir: 'src' }],
    ['files **/*.ts', { do: 'files', glob: '**/*.ts' }],
    ['files matching *.{md,txt}', { do: 'files', glob: '*.{md,txt}' }],
    ['create a.txt with "one\\ntwo"', { do: 'create', file: 'a.txt', text: 'one\ntwo' }],
    ['create a.txt with hello there', { do: 'create', file: 'a.txt', text: 'hello there' }],
    ['create a.txt with ""', { do: 'create', file: 'a.txt', text: '' }],
    [
      'create "with with.txt" with "say \\"hi\\" \\\\ bye"',
      { do: 'create', file: 'with with.txt', text: 'say "hi" \\ bye' },
    ],
    ['create a.txt with "line one\nline two"', { do: 'create', file: 'a.txt', text: 'line one\nline two' }],
    ['create a.txt with “curly”', { do: 'create', file: 'a.txt', text: 'curly' }],
    [
      'replace "a - b" with "a + b" in src/sum.js',
      { do: 'replace', from: 'a - b', to: 'a + b', file: 'src/sum.js', all: false },
    ],
    ['replace a + b with c in f.txt', { do: 'replace', from: 'a + b', to: 'c', file: 'f.txt', all: false }],
    ['replace "x" with "" in f.txt', { do: 'replace', from: 'x', to: '', file: 'f.txt', all: false }],
    ['replace all "x" with "y" in f.txt', { do: 'replace', from: 'x', to: 'y', file: 'f.txt', all: true }],
    ['delete a.txt', { do: 'delete', file: 'a.txt' }],
    ['delete the file a.txt', { do: 'delete', file: 'a.txt' }],
    ['run npm test', { do: 'run', command: 'npm test' }],
    ['run "npm test"', { do: 'run', command: 'npm test' }],
    ['run expr 1 + 2', { do: 'run', command: 'expr 1 + 2' }],
    ['run if true; then echo yes; fi', { do: 'run', command: 'if true; then echo yes; fi' }],
    ['run echo "a then list files"', { do: 'run', command: 'echo "a then list files"' }],
    ['run "a b" "c d"', { do: 'run', command: '"a b" "c d"' }],
    ['remember I like tea', { do: 'remember', name: null, text: 'I like tea' }],
    ['remember that I like tea', { do: 'remember', name: null, text: 'I like tea' }],
    ['remember tea: green, then black', { do: 'remember', name: 'tea', text: 'green, then black' }],
    ["remember don't stop then rest", { do: 'remember', name: null, text: "don't stop then rest" }],
    ['remember lunch is at 12:30', { do: 'remember', name: null, text: 'lunch is at 12:30' }],
    ['remember https://example.org', { do: 'remember', name: null, text: 'https://example.org' }],
    ['what do you remember', { do: 'recall', about: null }],
    ['What do you remember?', { do: 'recall', about: null }],
    ['what do you remember about green tea?', { do: 'recall', about: 'green tea' }],
    ['forget tea', { do: 'forget', name: 'tea' }],
    ['forget "green tea"', { do: 'forget', name: 'green tea' }],
    ['plan: read; then fix ; ', { do: 'plan', items: ['read', 'then fix'] }],
    ['delegate: list files then read a.txt', { do: 'delegate', request: 'list files then read a.txt' }],
    ['demo', { do: 'demo' }],
    ['- run ls', { do: 'run', command: 'ls' }],
  ])('%s', (text, action) => {
    expect(only(text)).toEqual(action);
    expect(parseRequest(text).language.id).toBe('en');
  });
});

describe('one request in Chinese', () => {
  it.each<[string, unknown]>([
    ['列出文件', { do: 'list', dir: null }],
    ['请列出所有文件。', { do: 'list', dir: null }],
    ['列出 src 中的文件', { do: 'list', dir: 'src' }],
    ['列出src的文件', { do: 'list', dir: 'src' }],
    ['列出文件 在 src', { do: 'list', dir: 'src' }],
    ['读取 README.md', { do: 'read', file: 'README.md', fromLine: null }],
    ['读取README.md从第 3 行', { do: 'read', file: 'README.md', fromLine: 3 }],
    ['从第12行开始读取 README.md', { do: 'read', file: 'README.md', fromLine: 12 }],
    ['查找 "总计"', { do: 'find', text: '总计', dir: null }],
    ['在 src 中查找 “总计”', { do: 'find', text: '总计', dir: 'src' }],
    ['文件 *.md', { do: 'files', glob: '*.md' }],
    ['查找文件 **/*.ts', { do: 'files', glob: '**/*.ts' }],
    ['创建 你好.txt 内容为 "你好\\n世界"', { do: 'create', file: '你好.txt', text: '你好\n世界' }],
    ['新建文件 a.txt，内容：你好', { do: 'create', file: 'a.txt', text: '你好' }],
    ['把 a.txt 中的 "甲" 替换为 "乙"', { do: 'replace', from: '甲', to: '乙', file: 'a.txt', all: false }],
    ['把a.txt中的“甲”替换成“乙”', { do: 'replace', from: '甲', to: '乙', file: 'a.txt', all: false }],
    ['把 a.txt 中所有的 "甲" 替换为 "乙"', { do: 'replace', from: '甲', to: '乙', file: 'a.txt', all: true }],
    ['在 a.txt 中把 "甲" 改为 "乙"', { do: 'replace', from: '甲', to: '乙', file: 'a.txt', all: false }],
    ['删除 a.txt', { do: 'delete', file: 'a.txt' }],
    ['运行 npm test', { do: 'run', command: 'npm test' }],
    ['执行命令 ls -la', { do: 'run', command: 'ls -la' }],
    ['记住 我喜欢绿茶', { do: 'remember', name: null, text: '我喜欢绿茶' }],
    ['记住 茶：绿茶', { do: 'remember', name: '茶', text: '绿茶' }],
    ['你记得什么？', { do: 'recall', about: null }],
    ['关于绿茶你记得什么', { do: 'recall', about: '绿茶' }],
    ['你还记得关于绿茶的什么', { do: 'recall', about: '绿茶' }],
    ['忘记 茶', { do: 'forget', name: '茶' }],
    ['计划：读笔记；修测试', { do: 'plan', items: ['读笔记', '修测试'] }],
    ['委托：列出文件 然后 读取 a.txt', { do: 'delegate', request: '列出文件 然后 读取 a.txt' }],
    ['演示', { do: 'demo' }],
  ])('%s', (text, action) => {
    expect(only(text)).toEqual(action);
    expect(parseRequest(text).language.id).toBe('zh');
  });
});

describe('requests that the window suggests', () => {
  it.each<[string, unknown]>([
    ['run node --test', { do: 'run', command: 'node --test' }],
    [
      'replace "a - b" with "a + b" in src/sum.js',
      { do: 'replace', from: 'a - b', to: 'a + b', file: 'src/sum.js', all: false },
    ],
    [
      '把 "a - b" 替换为 "a + b" 在 src/sum.js',
      { do: 'replace', from: 'a - b', to: 'a + b', file: 'src/sum.js', all: false },
    ],
    [
      'remember test command: run the tests with node --test',
      { do: 'remember', name: 'test command', text: 'run the tests with node --test' },
    ],
    [
      '记住 测试命令: 用 node --test 运行测试',
      { do: 'remember', name: '测试命令', text: '用 node --test 运行测试' },
    ],
    [
      'plan: read the notes; run the tests; fix what fails',
      { do: 'plan', items: ['read the notes', 'run the tests', 'fix what fails'] },
    ],
    ['计划: 阅读笔记; 运行测试; 修复失败', { do: 'plan', items: ['阅读笔记', '运行测试', '修复失败'] }],
    ['help', { help: 'en', unclear: null }],
    ['帮助', { help: 'zh', unclear: null }],
  ])('%s', (text, action) => {
    expect(only(text)).toEqual(action);
  });
});

describe('several requests', () => {
  const list = { do: 'list', dir: null };
  const read = (file: string) => ({ do: 'read', file, fromLine: null });

  it.each<[string, unknown]>([
    ['list files then read a.txt', [[list], [read('a.txt')]]],
    ['list files, and then read a.txt', [[list], [read('a.txt')]]],
    ['list files\n\n  read a.txt\n', [[list], [read('a.txt')]]],
    ['1. list files\r\n2. read a.txt', [[list], [read('a.txt')]]],
    ['read a.txt + read b.txt then list files', [[read('a.txt'), read('b.txt')], [list]]],
    ['列出文件，然后读取 a.txt', [[list], [read('a.txt')]]],
    ['读取 a.txt ＋ 读取 b.txt', [[read('a.txt'), read('b.txt')]]],
    ['run true then list files', [[{ do: 'run', command: 'true' }], [list]]],
    [
      'delegate: list files + delegate: read a.txt',
      [
        [
          { do: 'delegate', request: 'list files' },
          { do: 'delegate', request: 'read a.txt' },
        ],
      ],
    ],
    [
      'delegate: "list files" then read a.txt',
      [[{ do: 'delegate', request: '"list files" then read a.txt' }]],
    ],
    ['delegate: list files\nread a.txt', [[{ do: 'delegate', request: 'list files' }], [read('a.txt')]]],
  ])('%s', (text, expected) => {
    expect(steps(text)).toEqual(expected);
  });
});

describe('unknown requests', () => {
  it.each<[string, unknown]>([
    ['', { help: 'en', unclear: null }],
    ['hello', { help: 'en', unclear: null }],
    ['你好', { help: 'zh', unclear: null }],
    ['read the book I gave you', { help: 'en', unclear: null }],
    ['delete everything now', { help: 'en', unclear: null }],
    ['create a.txt', { help: 'en', unclear: null }],
    ['create a.txt with "x" and more', { help: 'en', unclear: null }],
    ['demos', { help: 'en', unclear: null }],
    ['plan: ;', { help: 'en', unclear: null }],
    ['read a.txt from line 0', { help: 'en', unclear: null }],
    ['list files\nmake me a sandwich\nread a.txt', { help: 'en', unclear: 'make me a sandwich' }],
    ['hello\nlist files', { help: 'en', unclear: 'hello' }],
    ['列出文件\n做个三明治', { help: 'zh', unclear: '做个三明治' }],
  ])('%j', (text, expected) => {
    expect(steps(text)).toEqual(expected);
  });
});
