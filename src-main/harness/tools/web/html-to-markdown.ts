import TurndownService from 'turndown';
import { codeBlock } from './code-block';
import { isHidden, isHiddenBySheet } from './hiding-styles';
import { element, type PageElement } from './page-element';
import { gridOf, type TableGrid } from './table-grid';
import { withoutInvisible } from './visible-text';

export interface MarkdownPage {
  title: string;
  text: string;
}

const MAX_TITLE = 500;
const HIDDEN_BY_SHEET = '\n\n[Text that a style sheet of the page hides was left out.]';
/** Cells of a page that are added in place of what spans cover. */
const MAX_ADDED_CELLS = 50_000;

/** Elements without text for a reader. A form stays: some sites put the whole page into one. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['SCRIPT', 'STYLE', 'NOSCRIPT', 'IFRAME', 'TEMPLATE', 'CANVAS', 'OBJECT', 'SELECT', 'DATALIST'],
  'svg',
]);

/** The text of an HTML page as Markdown, with absolute links. Throws if the HTML is nested too deeply. */
export function htmlToMarkdown(html: string, url: string): MarkdownPage {
  const service = new TurndownService({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
  });
  const head = addHeadRules(service, url);
  service.addRule('link', {
    filter: (node) => element(node).nodeName === 'A' && element(node).getAttribute('href') !== null,
    replacement: (content, node) => {
      const to = linkTo(element(node).getAttribute('href') ?? '', head.base);
      const text = content
        .trim()
        .replaceAll(/^#{1,6} /gm, '')
        .replaceAll(/\s+/g, ' ');
      return to === null || text === '' ? text : `[${text}](${to})`;
    },
  });
  service.addRule('picture', {
    filter: 'img',
    replacement: (_content, node) => element(node).getAttribute('alt')?.trim() ?? '',
  });
  service.addRule('code', { filter: 'pre', replacement: (_content, node) => codeBlock(element(node)) });
  service.addRule('block', {
    filter: (node) => /^(?:SUMMARY|CAPTION)$/.test(element(node).nodeName),
    replacement: block,
  });
  addTableRules(service);
  let note = '';
  // The last rule is asked first.
  service.addRule('left out', {
    filter: (node) => LEFT_OUT.has(element(node).nodeName) || isHidden(element(node)),
    replacement: (content, node) => {
      // A click might show it, which only a browser knows.
      if (content.trim() !== '' && isHiddenBySheet(element(node))) note = HIDDEN_BY_SHEET;
      return '';
    },
  });
  const text = withoutInvisible(service.turndown(html));
  return { title: withoutInvisible(head.title), text: text + note };
}

const block = (content: string): string => `\n\n${content.trim()}\n\n`;

/** What the page says of itself. It is complete when the page is converted. */
function addHeadRules(service: TurndownService, url: string): { title: string; base: string } {
  const head = { title: '', base: url };
  service.addRule('title', {
    filter: (node) => element(node).nodeName === 'TITLE',
    replacement: (_content, node) => {
      head.title ||= (element(node).textContent ?? '').slice(0, MAX_TITLE).replaceAll(/\s+/g, ' ').trim();
      return '';
    },
  });
  service.addRule('base', {
    filter: (node) => element(node).nodeName === 'BASE',
    replacement: (_content, node) => {
      const named = element(node).getAttribute('href');
      if (named !== null && head.base === url) head.base = linkTo(named, url) ?? url;
      return '';
    },
  });
  return head;
}

function addTableRules(service: TurndownService): void {
  const layouts = new WeakMap<PageElement, boolean>();
  const isLayout = (node: PageElement): boolean => {
    const table = tableOf(node);
    if (table === null) return false;
    const known = layouts.get(table) ?? table.getElementsByTagName('table').length > 0;
    layouts.set(table, known);
    return known;
  };
  const grids = new WeakMap<PageElement, TableGrid>();
  const gridAround = (node: PageElement): TableGrid | undefined => {
    const table = tableOf(node);
    if (table === null) return undefined;
    const known = grids.get(table) ?? gridOf(table);
    grids.set(table, known);
    return known;
  };
  let left = MAX_ADDED_CELLS;
  const emptyCells = (count: number): string => {
    const added = Math.min(count, left);
    left -= added;
    return '  |'.repeat(added);
  };
  service.addRule('cell', {
    filter: ['td', 'th'],
    replacement: (content, node) => {
      if (isLayout(element(node))) return block(content);
      const line = content.trim().replaceAll(/\s*\n\s*/g, ' ');
      const { before = 0, after = 0 } = gridAround(element(node))?.cells.get(element(node)) ?? {};
      return `${emptyCells(before)} ${line.replaceAll('|', '\\|')} |${emptyCells(after)}`;
    },
  });
  service.addRule('row', {
    filter: 'tr',
    replacement: (content, node) =>
      isLayout(element(node))
        ? block(content)
        : row(content, element(node), gridAround(element(node))?.columns.get(element(node)) ?? 1),
  });
  service.addRule('rows', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content });
  service.addRule('table', { filter: 'table', replacement: block });
}

/** The first row of a table is its head. */
function row(content: string, node: PageElement, columns: number): string {
  const line = `\n|${content}`;
  const isFirst = node.previousElementSibling === null && !/^(?:TBODY|TFOOT)$/.test(before(node));
  return isFirst ? `${line}\n|${' --- |'.repeat(Math.max(1, columns))}` : line;
}

/** The kind of a row's group if another group precedes it. A caption and columns are not groups. */
function before({ parentElement }: PageElement): string {
  const previous = parentElement?.previousElementSibling?.nodeName ?? '';
  return /^(?:THEAD|TBODY|TFOOT)$/.test(previous) ? (parentElement?.nodeName ?? '') : '';
}

function tableOf(node: PageElement): PageElement | null {
  let at = node.parentElement;
  while (at !== null && at.nodeName !== 'TABLE') at = at.parentElement;
  return at;
}

function linkTo(href: string, base: string): string | null {
  if (!URL.canParse(href, base)) return null;
  const to = new URL(href, base);
  return /^(?:https?|mailto):$/.test(to.protocol) ? to.href : null;
}
