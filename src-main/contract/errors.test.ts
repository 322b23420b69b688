import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { errorText } from './errors';
import { AppError, fail } from './result';

const ROOT = join(import.meta.dirname, '../..');
const sources = ['src-main', 'src-renderer'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|testing\//.test(name))
    .map((name) => join(ROOT, folder, name)),
);

/** Milliseconds to read the sources on a busy machine. */
const READ_WITHIN = 60_000;

/** Our own sentences among the values of an error call: `fail('invalid', 'external', { text: 'No such …' })`. */
function proseIn(file: string, source: string): string[] {
  // Reading a source takes much longer than finding out that it has no call.
  if (!/\b(?:fail|errorText)\(/.test(source)) return [];
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const isProse = (node: ts.Node): boolean =>
    (ts.isStringLiteralLike(node) && /\p{L}+ \p{L}+/u.test(node.text)) || ts.isTemplateExpression(node);
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && /^(?:fail|errorText)$/.test(node.expression.getText(tree))) {
      const values = node.arguments.filter((one) => ts.isObjectLiteralExpression(one));
      for (const { properties } of values)
        for (const property of properties)
          if (ts.isPropertyAssignment(property) && isProse(property.initializer))
            found.push(property.getText(tree));
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

describe('an error', () => {
  it('consists of a code and its values', () => {
    // @ts-expect-error A sentence is not a code.
    fail('not_found', 'This thread no longer exists.');
    // @ts-expect-error The path is missing.
    fail('not_found', 'path_gone');
    // @ts-expect-error This code has no such value.
    fail('not_found', 'path_gone', { file: '/a' });
    // @ts-expect-error This code has no values.
    errorText('thread_gone', { path: '/a' });
    // @ts-expect-error Only `fail`, `appError` and the schema make one.
    const made: AppError = { kind: 'not_found', code: 'thread_gone' };
    expect(fail('not_found', 'thread_gone').error).toEqual(made);
    expect(fail('not_found', 'path_gone', { path: '/a' }, 'ENOENT').error).toEqual({
      kind: 'not_found',
      code: 'path_gone',
      values: { path: '/a' },
      detail: 'ENOENT',
    });
  });

  it(
    'has none of our sentences among its values',
    () => {
      expect(sources.flatMap((file) => proseIn(file, readFileSync(file, 'utf8')))).toEqual([]);
    },
    READ_WITHIN,
  );

  it.each([
    "fail('invalid', 'external', { text: 'It is no name.' });",
    "const text = errorText('external', { text: `It is no $" + '{name}` });',
  ])('is detected if it has one: %s', (source) => {
    expect(proseIn('a.ts', source)).toHaveLength(1);
  });

  it('shows the stored sentence of an older version', () => {
    expect(AppError.parse({ kind: 'storage', message: 'The disk is full.', detail: 'ENOSPC' })).toEqual({
      kind: 'storage',
      code: 'prose',
      values: { text: 'The disk is full.' },
      detail: 'ENOSPC',
    });
  });

  it('is parsed unchanged', () => {
    const { error } = fail('not_found', 'path_gone', { path: '/a' }, 'ENOENT');
    expect(AppError.parse(JSON.parse(JSON.stringify(error)))).toEqual(error);
  });
});
