import TurndownService from 'turndown';

export interface MarkdownPage {
  title: string;
  text: string;
}

/** The part of the DOM that the rules use. The main process has no types of it. */
interface PageElement {
  nodeName: string;
  parentElement: PageElement | null;
  previousElementSibling: PageElement | null;
  children: { length: number };
  getAttribute(name: string): string | null;
}

const element = (node: unknown): PageElement => node as PageElement;

/** Elements without text for a reader. */
const LEFT_OUT = ['script', 'style', 'noscript', 'iframe', 'template', 'canvas', 'object', 'form'] as const;

/** The text of an HTML page as Markdown, with absolute links. Throws if the HTML is nested too deeply. */
export function htmlToMarkdown(html: string, url: string): MarkdownPage {
  const service = new TurndownService({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
  });
  service.remove([...LEFT_OUT]);
  service.remove((node) => /^(?:svg|TITLE)$/.test(element(node).nodeName));
  service.addRule('link', {
    filter: (node) => element(node).nodeName === 'A' && element(node).getAttribute('href') !== null,
    replacement: (content, node) => {
      const to = linkTo(element(node).getAttribute('href') ?? '', url);
      const text = content.trim();
      return to === null || text === '' ? text : `[${text.replaceAll(/\s+/g, ' ')}](${to})`;
    },
  });
  service.addRule('picture', {
    filter: 'img',
    replacement: (_content, node) => element(node).getAttribute('alt')?.trim() ?? '',
  });
  service.addRule('cell', {
    filter: ['td', 'th'],
    replacement: (content) =>
      ` ${content
        .trim()
        .replaceAll(/\s*\n\s*/g, ' ')
        .replaceAll('|', '\\|')} |`,
  });
  service.addRule('row', { filter: 'tr', replacement: (content, node) => row(content, element(node)) });
  service.addRule('rows', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content });
  service.addRule('table', { filter: 'table', replacement: (content) => `\n\n${content.trim()}\n\n` });
  const title = /<title[^>]*>([^<]{0,500})/i.exec(html)?.[1] ?? '';
  return { title: service.turndown(title).replaceAll(/\s+/g, ' ').trim(), text: service.turndown(html) };
}

/** The first row of a table is its head. */
function row(content: string, node: PageElement): string {
  const line = `\n|${content}`;
  const isFirst = node.previousElementSibling === null && !/^(?:TBODY|TFOOT)$/.test(before(node));
  return isFirst ? `${line}\n|${' --- |'.repeat(Math.max(1, node.children.length))}` : line;
}

/** The kind of a row's group if another group precedes it. */
const before = ({ parentElement }: PageElement): string =>
  parentElement?.previousElementSibling === null ? '' : (parentElement?.nodeName ?? '');

function linkTo(href: string, url: string): string | null {
  if (!URL.canParse(href, url)) return null;
  const to = new URL(href, url);
  return /^(?:https?|mailto):$/.test(to.protocol) ? to.href : null;
}
