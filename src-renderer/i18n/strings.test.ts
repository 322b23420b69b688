import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { en } from './en';
import { confirm } from './en/confirm';
import { errors } from './en/errors';
import { native } from './en/native';
import type { Entry } from './types';

const ROOT = join(import.meta.dirname, '..');

/** Attributes whose text people read or hear. */
const SPOKEN = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
  'description',
  'heading',
  'hint',
  'label',
  'message',
  'placeholder',
  'title',
  'tooltip',
]);
/** The same in every language: names and literal input. */
const NAMES = new Set([
  'Deepdesk',
  'Docker',
  'Podman',
  'English',
  '中文',
  'Ctrl ↵',
  'mermaid',
  'npm test',
  'packages.example.com',
  'postgresql://user@host:5432/database',
  'https://storage.example.org',
  'https://api.smith.langchain.com',
]);

const hasWords = (text: string) => /\p{L}{2,}/u.test(text) && !NAMES.has(text.trim());

/** Texts in the markup that belong in the catalog, with their lines. */
function literals(file: string, source: string): string[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const tell = (node: ts.Node, text: string) => {
    const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${file}:${line + 1} ${text.trim()}`);
  };
  /** Texts that an expression may evaluate to: looks into conditions and alternatives, not into calls. */
  const textsOf = (node: ts.Expression): ts.StringLiteralLike[] => {
    if (ts.isStringLiteralLike(node)) return [node];
    if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
    if (ts.isParenthesizedExpression(node)) return textsOf(node.expression);
    if (ts.isBinaryExpression(node)) {
      const { kind } = node.operatorToken;
      const isChoice = [
        ts.SyntaxKind.QuestionQuestionToken,
        ts.SyntaxKind.BarBarToken,
        ts.SyntaxKind.AmpersandAmpersandToken,
        ts.SyntaxKind.PlusToken,
      ].includes(kind);
      return isChoice ? [...textsOf(node.left), ...textsOf(node.right)] : [];
    }
    return [];
  };
  const visit = (node: ts.Node) => {
    if (ts.isJsxText(node) && hasWords(node.text)) tell(node, node.text);
    if (ts.isJsxExpression(node) && node.expression && !ts.isJsxAttribute(node.parent)) {
      for (const text of textsOf(node.expression)) if (hasWords(text.text)) tell(text, text.text);
    }
    if (ts.isJsxAttribute(node) && SPOKEN.has(node.name.getText())) {
      const value = node.initializer;
      const texts =
        value === undefined
          ? []
          : ts.isStringLiteral(value)
            ? [value]
            : ts.isJsxExpression(value) && value.expression
              ? textsOf(value.expression)
              : [];
      for (const text of texts) if (hasWords(text.text)) tell(text, text.text);
    }
    // Menu items and the like are objects: `{ label: … }`.
    if (
      ts.isPropertyAssignment(node) &&
      ts.isIdentifier(node.name) &&
      ['label', 'heading', 'hint', 'placeholder'].includes(node.name.text)
    ) {
      for (const text of textsOf(node.initializer)) if (hasWords(text.text)) tell(text, text.text);
    }
    // The text of a toast is shown too.
    if (ts.isCallExpression(node) && node.expression.getText() === 'toast' && node.arguments[0]) {
      for (const text of textsOf(node.arguments[0])) if (hasWords(text.text)) tell(text, text.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Milliseconds allowed for parsing every component on a busy machine. */
const PARSED_WITHIN = 60_000;

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .map((path) => join(ROOT, path))
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|\/testing\/|\/i18n\//.test(path));

/** Their counts are never 1. */
const ALWAYS_MANY = [
  'approvals.lines',
  'approvals.manyFiles',
  'approvals.offerText',
  'errors.cli_call_name',
  'files.conflictCut',
  'tools.lookedAround',
  'tools.readFiles',
  'reasons.agents_beyond',
  'reasons.deletes_many',
  'reasons.outcome_changed_files',
  'reasons.outcome_files_beyond_undo',
  'reasons.skills_beyond',
  'reasons.text_found_often',
  'reasons.too_many_characters',
  'reasons.too_many_lines',
];

/** English texts that count something in the plural and have no singular. */
const withoutSingular = (texts: Record<string, Record<string, Entry>>): string[] =>
  Object.entries(texts).flatMap(([feature, entries]) =>
    Object.entries(entries).flatMap(([name, entry]) =>
      typeof entry === 'string' && /\{count\} (?!of\b)(?:[a-z-]+ )*?[a-z]+s\b/.test(entry)
        ? [`${feature}.${name}`]
        : [],
    ),
  );

describe('a count in an English text', () => {
  it('has a singular, unless it is never 1', () => {
    const texts = { ...en, confirm, native, errors } as unknown as Record<string, Record<string, Entry>>;
    expect(withoutSingular(texts).filter((key) => !ALWAYS_MANY.includes(key))).toEqual([]);
  });

  it('is found without one', () => {
    expect(withoutSingular({ a: { b: '{count} unchanged lines', c: '{count} of 3 lines' } })).toEqual([
      'a.b',
    ]);
  });
});

describe('the texts of the window', () => {
  it(
    'come from the catalog, never from the markup',
    () => {
      expect(files.length).toBeGreaterThan(100);
      const found = files.flatMap((file) => {
        const source = readFileSync(file, 'utf8');
        // Most files without markup contain no text.
        const mayBe = file.endsWith('.tsx') || /toast\(|\b(?:label|heading|hint|placeholder):/.test(source);
        return mayBe ? literals(relative(ROOT, file), source) : [];
      });
      expect(found).toEqual([]);
    },
    PARSED_WITHIN,
  );

  it.each([
    ['text', 'const A = () => <p>Some text</p>;'],
    ['a name', 'const A = () => <b aria-label="Close" />;'],
    ['a choice', "const A = () => <b title={x ? 'Open it' : y} />;"],
    ['an expression', "const A = () => <p>{x && 'Really'}</p>;"],
    ['a menu item', "const a = [{ label: 'Rename' }];"],
    ['a toast', "toast('It is done');"],
  ])('are found as %s', (_name, source) => {
    expect(literals('a.tsx', source)).toHaveLength(1);
  });
});

it('joins sentences through the catalog, because Chinese has no space between them', () => {
  const joined = files.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        /\)\} \{t\(|\} \$\{t\(/.test(line) ? [`${relative(ROOT, path)}:${at + 1} ${line.trim()}`] : [],
      ),
  );
  expect(joined).toEqual([]);
});
