import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { mainLanguage } from './native-language';

const MAIN = join(import.meta.dirname, '../..');

/** Properties of Electron's arguments that the person sees. */
const SHOWN = new Set([
  'title',
  'label',
  'message',
  'detail',
  'body',
  'buttons',
  'buttonLabel',
  'checkboxLabel',
  'name',
  'toolTip',
]);
const CALLS = /(?:showErrorBox|setToolTip|setTitle)$/;
/** Warnings go to the window, which has its own strings for them. */
const TOLD_BY_THE_WINDOW = new Set(['warnings']);

const hasWords = (text: string) => /\p{L}{2,}/u.test(text) && text !== 'Deepdesk';

function literals(file: string, source: string): string[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const textsOf = (node: ts.Node): string[] => {
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isTemplateExpression(node))
      return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
    if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(textsOf);
    if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(textsOf);
    return [];
  };
  const tell = (node: ts.Node) => found.push(...textsOf(node).filter(hasWords));
  const visit = (node: ts.Node) => {
    if (ts.isFunctionDeclaration(node) && TOLD_BY_THE_WINDOW.has(node.name?.text ?? '')) return;
    if (ts.isPropertyAssignment(node) && SHOWN.has(node.name.getText())) tell(node.initializer);
    if (ts.isCallExpression(node) && CALLS.test(node.expression.getText())) node.arguments.forEach(tell);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

describe('native strings', () => {
  it('are all in the catalog, none inline', () => {
    const frame = readdirSync(join(MAIN, 'electron')).filter((name) => /(?<!\.test)\.ts$/.test(name));
    const files = [
      ...frame.map((name) => join('electron', name)),
      'index.ts',
      'host/approvals/inbox.ts',
      'host/turns/turn-notification.ts',
      'host/window/confirmations.ts',
    ];
    const found = files.flatMap((file) => literals(file, readFileSync(join(MAIN, file), 'utf8')));
    expect(found).toEqual([]);
  });

  it.each([
    ['a question', "dialog.showMessageBox({ message: 'Really?' });"],
    ['a button', "const options = { buttons: [words.no, 'Open'] };"],
    ['an alarm', 'dialog.showErrorBox(title, `It is in $' + '{folder}`);'],
    ['a menu', "const item = { label: 'Edit' };"],
  ])('are detected as %s', (_name, source) => {
    expect(literals('a.ts', source)).toHaveLength(1);
  });

  it("use the chosen language, else the system's", () => {
    expect(mainLanguage('en', 'zh-CN')).toBe('en');
    expect(mainLanguage('zh', 'en-GB')).toBe('zh');
    expect(['zh-CN', 'zh', 'fr', undefined].map((locale) => mainLanguage('system', locale))).toEqual([
      'zh',
      'zh',
      'en',
      'en',
    ]);
  });
});
