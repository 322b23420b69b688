import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { knownIn, saidIn } from './said';

const MAIN = join(import.meta.dirname, '../../src-main');
/** Texts composed of other sentences and of the system's messages. */
const PUT_TOGETHER = /^\{\}[:{} ]*$/;

interface Said {
  place: string;
  text: string;
}

/** The possible texts of an expression, with `{}` for interpolated values. */
function textsOf(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('')];
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  if (ts.isParenthesizedExpression(node)) return textsOf(node.expression);
  // `…`.trim()
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression))
    return textsOf(node.expression.expression);
  return [];
}

const sourcesIn = (folder: string) =>
  readdirSync(join(MAIN, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|testing\//.test(name))
    .map((name) => join(folder, name));

function visitAll(files: readonly string[], see: (node: ts.Node) => string[]): Said[] {
  return files.flatMap((file) => {
    const source = readFileSync(join(MAIN, file), 'utf8');
    const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
    const found: Said[] = [];
    const visit = (node: ts.Node) => {
      for (const text of see(node)) {
        found.push({
          place: `${file}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`,
          text,
        });
      }
      ts.forEachChild(node, visit);
    };
    visit(tree);
    return found;
  });
}

/** Warnings about this run, and what was left out of it. */
const warnings = () =>
  visitAll(
    ['harness/agent', 'harness/storage', 'harness/tools', 'host', 'storage', 'workspace'].flatMap(sourcesIn),
    (node) => {
      if (
        !ts.isCallExpression(node) ||
        !/(?:^|\.)(?:warn|warnings\.push|onDegraded)$/.test(node.expression.getText())
      )
        return [];
      const [message] = node.arguments;
      return message === undefined ? [] : textsOf(message);
    },
  );

/** The states of MCP servers, and why one of their tools is left out. Texts for the model about a call start differently. */
const servers = () =>
  visitAll(sourcesIn('mcp'), (node) => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
    return isText
      ? textsOf(node as ts.Expression).filter((text) =>
          /^(?:Its? |You |The (?:program|connection|form|server) |Only ).*[.…]$/u.test(text),
        )
      : [];
  });

/** Fills the placeholders with names, as at run time. */
const filled = (text: string) => text.replaceAll('{}', 'x1');

/** Milliseconds allowed for reading the sources on a busy machine. */
const READ_WITHIN = 60_000;

describe('the English messages of the main process', () => {
  it.each([
    ['warnings', warnings, 8],
    ['servers', servers, 12],
  ])(
    'have a Chinese translation: %s',
    (_what, found, atLeast) => {
      const all = found().filter(({ text }) => text !== '' && !PUT_TOGETHER.test(text));
      expect(all.length).toBeGreaterThan(atLeast);
      expect(all.filter(({ text }) => knownIn('zh', filled(text)) === undefined)).toEqual([]);
    },
    READ_WITHIN,
  );

  it.each([
    [
      'It ended (exit code 1). It printed lines that are no messages of the protocol, such as: hello there',
      '它已结束（退出码 1）。它输出了不符合协议的行，例如：hello there',
    ],
    [
      '/c/mcp.json could not be read. It is a link to a place outside the folder.',
      '无法读取 /c/mcp.json。它是指向文件夹之外的链接。',
    ],
    ['"env.KEY" cannot be used: Invalid input.', '“env.KEY”无法使用：Invalid input。'],
  ])('%s', (english, chinese) => {
    expect(saidIn('zh', english)).toBe(chinese);
    expect(saidIn('en', english)).toBe(english);
  });

  it('stay unchanged without a translation', () => {
    expect(knownIn('zh', 'ECONNRESET at socket.js')).toBeUndefined();
    expect(saidIn('zh', 'ECONNRESET at socket.js')).toBe('ECONNRESET at socket.js');
  });
});

it('take little time to match for any model text inside a host message [safety 24]', () => {
  const pieces = [': ', '. A', 'rm: it deletes files. ', ' is not there: ', 'The folder ', '" "', "' '"];
  for (const piece of pieces) {
    saidIn('zh', piece.repeat(10));
    const from = process.cpuUsage();
    saidIn('zh', piece.repeat(100_000 / piece.length));
    saidIn('zh', piece.repeat(9_900 / piece.length));
    const { user } = process.cpuUsage(from);
    // CPU time in microseconds.
    expect(user, piece).toBeLessThan(500_000);
  }
});
