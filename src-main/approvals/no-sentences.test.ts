import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const MAIN = join(import.meta.dirname, '..');
/** Commands used to try a rule. */
const COMMANDS = /^(?:git push --force|npm exec x|cargo run)$/;
/** Tables that contain only names. */
const TABLES = /subcommands\.ts$/;

const sourcesIn = (folder: string) =>
  readdirSync(join(MAIN, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|testing\/|\.contract\.ts$/.test(name))
    .map((name) => join(folder, name));

/** `'git npm cargo'.split(' ')` */
function isListOfNames(node: ts.Node): boolean {
  const access = node.parent;
  if (!ts.isPropertyAccessExpression(access) || access.expression !== node) return false;
  return access.name.text === 'split' || (access.name.text === 'trim' && isListOfNames(access.parent));
}

const textOf = (node: ts.Node): string | undefined =>
  ts.isStringLiteralLike(node)
    ? node.text
    : ts.isTemplateExpression(node)
      ? node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('')
      : undefined;

const hasWords = (text: string) => /\p{L}{2,} \p{L}{2,}/u.test(text);

/** Texts of several words in a source file, with their lines. */
function sentences(
  file: string,
  source: string,
  isSought: (node: ts.Node) => boolean = () => true,
): string[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    const text = textOf(node);
    const isSentence = text !== undefined && hasWords(text) && !COMMANDS.test(text);
    if (isSentence && !isListOfNames(node) && isSought(node))
      found.push(`${file}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${text}`);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Inside `because(…)`: only other programs' text is inserted there, never ours. */
function isInReason(node: ts.Node): boolean {
  for (let at: ts.Node | undefined = node.parent; at !== undefined; at = at.parent)
    if (ts.isCallExpression(at) && at.expression.getText() === 'because') return true;
  return false;
}

/** Milliseconds to read the sources on a busy machine. */
const READ_WITHIN = 60_000;

describe('reasons', () => {
  it(
    'use codes where calls and rules are judged, with their text only in the tables',
    () => {
      const files = sourcesIn('approvals').filter((file) => !TABLES.test(file));
      expect(files.length).toBeGreaterThan(40);
      expect(files.flatMap((file) => sentences(file, readFileSync(join(MAIN, file), 'utf8')))).toEqual([]);
    },
    READ_WITHIN,
  );

  it(
    'never receive a sentence as a value',
    () => {
      const makers = sourcesIn('.').flatMap((file) => {
        const source = readFileSync(join(MAIN, file), 'utf8');
        return source.includes('because(') ? [{ file, source }] : [];
      });
      expect(makers.length).toBeGreaterThan(20);
      expect(makers.flatMap(({ file, source }) => sentences(file, source, isInReason))).toEqual([]);
    },
    READ_WITHIN,
  );

  it('are detected if they contain a sentence', () => {
    const source = `const a = { reason: 'It deletes files.' }; because('external', { text: \`It is \${b} now\` });`;
    expect(sentences('a.ts', source)).toHaveLength(2);
    expect(sentences('a.ts', source, isInReason)).toHaveLength(1);
  });
});
