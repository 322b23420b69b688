// Functions and files that are too long to read, by every line from their first to their last: blank lines and JSX count.
// Biome's rule counts statements' lines only, so it lets a component of 150 lines pass.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root, run } from '../process.mjs';

export const MAX_LINES = 100;
export const MAX_FILE_LINES = 400;

/** Files that are one table each: every error and every reason with its values. */
const TABLES = new Set(['src-main/contract/errors.ts', 'src-main/contract/shared/reasons.ts']);

const SOURCES = /^(src-main|src-renderer|bench|scripts)\/.*\.(ts|tsx|mjs)$/;
const TESTS = /\.(test|contract|d)\.tsx?$|\/testing\//;

/**
 * A reducer is one `switch` over what happened, a table is one literal. Both are as long as what they list.
 * @param {ts.Node} body
 */
function isList(body) {
  if (ts.isParenthesizedExpression(body)) return isList(body.expression);
  if (ts.isBlock(body)) return body.statements.length === 1 && body.statements.every(ts.isSwitchStatement);
  return ts.isObjectLiteralExpression(body) || ts.isArrayLiteralExpression(body);
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {string[]} each as `file:line lines`
 */
export function longFunctions(file, text) {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
  /** @type {string[]} */
  const found = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    const body = ts.isFunctionLike(node) && 'body' in node ? node.body : undefined;
    if (body) {
      const first = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line;
      const lines = tree.getLineAndCharacterOfPosition(node.end).line - first + 1;
      if (lines > MAX_LINES && !isList(body)) found.push(`${file}:${first + 1} has ${lines} lines`);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {string[]} the file itself, if it is too long
 */
export function longFiles(file, text) {
  const lines = text.replace(/\n$/, '').split('\n').length;
  return lines > MAX_FILE_LINES && !TABLES.has(file) ? [`${file} has ${lines} lines`] : [];
}

/** What is too long in all sources without tests, a sentence each. */
export async function longSources() {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  const files = stdout
    .split('\0')
    .filter((file) => SOURCES.test(file) && !TESTS.test(file) && existsSync(join(root, file)));
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    if (text.split('\n').length <= MAX_LINES) return [];
    return [
      ...longFiles(file, text).map((one) => `${one}; a file has at most ${MAX_FILE_LINES}`),
      ...longFunctions(file, text).map((one) => `${one}; a function has at most ${MAX_LINES}`),
    ];
  });
}
