import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { root, run } from '../process.mjs';

/** Repetitions in a hostile text: an expression that tries all ways to divide them takes forever. */
const REPEATED = 45;
/** Milliseconds for all texts of one expression; a good one takes less than one. */
const WITHIN = 3_000;

interface Expression {
  source: string;
  flags: string;
  place: string;
}

function expressionsIn(file: string, text: string): Expression[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const found: Expression[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
      found.push({
        source: node.text.slice(1, end),
        flags: node.text.slice(end + 1).replace(/[gy]/g, ''),
        place: `${file}:${line} ${node.text}`,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** One character for each part of the expression that can match one. */
function charactersOf({ source, flags }: Expression): string[] {
  const parts = source.match(/\[(?:\\.|[^\]\\])*\]|\\[pPuxk]\{[^}]*\}|\\u[\da-f]{4}|\\.|[^\\]/giu) ?? [];
  const samples = [...'a_A0 -./:,;=+*"\'`<>()[]{}|&#$@!?%^~\\\t\n\r\u001b\u00e9'];
  const found = new Set<string>();
  for (const part of parts) {
    try {
      const matches = new RegExp(`^(?:${part})$`, flags);
      for (const sample of samples.filter((one) => matches.test(one)).slice(0, 4)) found.add(sample);
    } catch {
      // A bracket, or a character that has a meaning only in context.
      found.add(part.at(-1) ?? '');
    }
  }
  return [...found].slice(0, 24);
}

const context = createContext({});
const attack = new Script(
  '{ const one = new RegExp(source, flags); for (const text of texts) one.test(text); }',
);

/** False if the expression does not answer in time. */
function answers(expression: Expression, timeout = WITHIN): boolean {
  const characters = charactersOf(expression);
  const pumps = characters.flatMap((one) => [one, ...characters.slice(0, 12).map((other) => one + other)]);
  const starts = ['', ...characters.slice(0, 4)];
  const texts = starts.flatMap((start) => pumps.map((pump) => `${start}${pump.repeat(REPEATED)}\u0001`));
  const { source, flags } = expression;
  Object.assign(context, { source, flags, texts });
  try {
    attack.runInContext(context, { timeout });
    return true;
  } catch (error) {
    // An error from the other context is not an instance of our Error.
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}

const of = (text: string) => expressionsIn('x.ts', text);

it('finds an expression that tries all ways to divide a text [safety 24]', () => {
  const slow = ['/^(a+)+$/', '/^[a-z_]+(?:[._-][a-z_]*)*$/', '/(?:\\s|\\t)*=/', '/^(\\w+\\s?)*$/'];
  // They would take years, so a short time is as good as a long one.
  expect(slow.map((text) => of(text).map((one) => answers(one, 300)))).toEqual(slow.map(() => [false]));
  expect(of('/^[a-z]+(?:-[a-z]+)*$/u; 1 / 2 / 3').map((one) => answers(one))).toEqual([true]);
}, 60_000);

it('allows no expression in the app that a hostile text can block forever [safety 24]', async () => {
  const { stdout } = await run('git', ['ls-files', 'src-main', 'src-renderer'], { cwd: root });
  const files = stdout
    .split('\n')
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && !/\/testing\//.test(file));
  const expressions = files.flatMap((file) => expressionsIn(file, readFileSync(join(root, file), 'utf8')));
  expect(expressions.length).toBeGreaterThan(300);
  expect(expressions.filter((one) => !answers(one)).map(({ place }) => place)).toEqual([]);
}, 120_000);
