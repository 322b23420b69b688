// Functions that are too long to read, by every line from their first to their last: blank lines and JSX count. Biome's rule
// counts statements' lines only, so it lets a component of 150 lines pass.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root, run } from '../process.mjs';

export const MAX_LINES = 100;

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

/** The long functions of all sources without tests. */
export async function longFunctionsOfSources() {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  const files = stdout.split('\0').filter((file) => SOURCES.test(file) && !TESTS.test(file));
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return text.split('\n').length > MAX_LINES ? longFunctions(file, text) : [];
  });
}
