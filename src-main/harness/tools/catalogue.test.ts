import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { BUILT_IN_TOOLS } from '../agent/built-in-tools';
import { BUILT_IN_NAMES, descriptorOf } from './catalogue';

const ROOT = join(import.meta.dirname, '../../..');

/** Where a tool name may appear as text: its descriptor, UI strings, migrations and tests. */
const ALLOWED =
  /^src-main\/harness\/tools\/descriptors\/|^src-main\/storage\/migrations\/|^src-renderer\/i18n\/|\.test\.tsx?$|\/testing\//;
/** The contract cannot import the catalogue. This text tells the model what to do. */
const SENTENCES = new Set(['src-main/contract/shared/media.ts: read_file']);

/** Names such as `delete` and `grep` are also ordinary words. They count only where they stand for a tool. */
function standsForTool(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent) && parent.initializer === node)
    return /^(tool|toolName|name)$/.test(parent.name.getText());
  if (ts.isBinaryExpression(parent)) return /\b(tool|toolName|call\??\.name)$/.test(parent.left.getText());
  if (ts.isCaseClause(parent)) return /\b(tool|call\.name)$/.test(parent.parent.parent.expression.getText());
  if (ts.isArrayLiteralExpression(parent))
    return parent.elements.some(
      (one) => ts.isStringLiteralLike(one) && one.text.includes('_') && BUILT_IN_NAMES.has(one.text),
    );
  return false;
}

/** Only files that match this need to be parsed. */
const LIKELY = new RegExp(
  [...BUILT_IN_NAMES].map((name) => (name.includes('_') ? name : `['"\`]${name}['"\`]`)).join('|'),
);

function namesIn(file: string, text: string): string[] {
  if (!LIKELY.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isText =
      ts.isStringLiteralLike(node) ||
      node.kind === ts.SyntaxKind.TemplateHead ||
      node.kind === ts.SyntaxKind.TemplateMiddle ||
      node.kind === ts.SyntaxKind.TemplateTail ||
      node.kind === ts.SyntaxKind.RegularExpressionLiteral;
    // A key of a list by tool, or a property named after a tool.
    const isName = ts.isIdentifier(node);
    if ((isText || isName) && !ts.isImportDeclaration(node.parent)) {
      const own = (node as ts.LiteralLikeNode | ts.Identifier).text;
      for (const name of BUILT_IN_NAMES) {
        const isFound = name.includes('_')
          ? new RegExp(`\\b${name}\\b`).test(own)
          : own === name && standsForTool(node);
        if (isFound) found.push(name);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

it('is the only list of tools: no other source file contains a tool name', () => {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'src-main', 'src-renderer'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !ALLOWED.test(file));
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    return namesIn(file, text).map((name) => `${file}: ${name}`);
  });
  expect([...new Set(found)].filter((one) => !SENTENCES.has(one))).toEqual([]);
});

it('finds a name in a string, a key, a comparison, a property and a list', () => {
  const texts = [
    "const a = 'read it with read_file';",
    'const a = { edit_file: 1 };',
    "if (call.tool === 'delete') stop();",
    "run({ tool: 'execute' });",
    "const a = ['glob', 'write_file'];",
    '/^(write_file|delete)$/.test(tool);',
  ];
  expect(texts.map((text) => namesIn('a.ts', text).length > 0)).toEqual(texts.map(() => true));
  expect(namesIn('a.ts', "const a = { kind: 'delete', programs: ['grep', 'sed'] };")).toEqual([]);
});

it('contains every tool that a model can be offered', () => {
  expect(BUILT_IN_TOOLS.map(({ name }) => name)).toEqual([...BUILT_IN_NAMES]);
  expect(new Set([...BUILT_IN_NAMES].map((name) => descriptorOf(name)?.display)).size).toBe(
    BUILT_IN_NAMES.size,
  );
});
