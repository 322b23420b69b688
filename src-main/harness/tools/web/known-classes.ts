import { element, type PageElement } from './page-element';

/** Classes that hide in the style sheets of Bootstrap, Tailwind, Bulma, UIkit, Foundation and the US government. */
const HIDING: ReadonlySet<string> = new Set(
  'd-none invisible hidden is-hidden is-invisible uk-hidden hide display-none'.split(' '),
);
/** Classes that show it again, on some screens or in some states: `md:block`, `d-lg-flex`. */
const SHOWING =
  /:(?:display-)?(?:block|flex|grid|inline|table|list-item|flow-root|contents|visible)|^d-(?:\w+-)?(?!none)(?:block|flex|grid|inline|table)|^uk-open$/;
/** Attributes with the ids of what a control shows. */
const CONTROLS = ['aria-controls', 'data-bs-target', 'data-target', 'data-tabs-target', 'href'];

interface Page {
  /** The classes that hide: none without style sheets in other files, and none that its own sheets, which are read, have. */
  hiding: ReadonlySet<string>;
  /** Ids of what its controls show. */
  controlled: ReadonlySet<string>;
}

const known = new WeakMap<object, Page>();

function pageOf(document: PageElement['ownerDocument']): Page {
  const page = known.get(document) ?? readPage(document);
  known.set(document, page);
  return page;
}

function readPage(document: PageElement['ownerDocument']): Page {
  const all = (tag: string) => Array.from(document.getElementsByTagName(tag), element);
  const links = all('link').map((link) => link.getAttribute('rel') ?? '');
  if (!links.some((rel) => /(?:^|\s)stylesheet(?:\s|$)/i.test(rel)))
    return { hiding: new Set(), controlled: new Set() };
  const sheets = all('style').map(({ textContent }) => textContent ?? '');
  const targets = all('*').flatMap((node) => CONTROLS.map((name) => node.getAttribute(name) ?? ''));
  const ids = targets.flatMap((target) => target.split(/\s+/)).map((id) => id.replace(/^#/, ''));
  return {
    hiding: new Set([...HIDING].filter((name) => !sheets.some((sheet) => sheet.includes(`.${name}`)))),
    controlled: new Set(ids.filter((id) => id !== '')),
  };
}

/**
 * Whether a style sheet in another file hides an element for sure, as far as its class is a well-known one. Not what the page
 * has a control for, such as a tab.
 */
export function isHiddenByKnownClass(node: PageElement): boolean {
  const classes = (node.getAttribute('class') ?? '').split(/\s+/);
  // Before the page is read: most elements have none.
  if (!classes.some((name) => HIDING.has(name))) return false;
  const { hiding, controlled } = pageOf(node.ownerDocument);
  if (!classes.some((name) => hiding.has(name)) || classes.some((name) => SHOWING.test(name))) return false;
  const isPart = /^(?:tabpanel|menu|dialog)$/i.test(node.getAttribute('role') ?? '');
  return !isPart && !controlled.has(node.getAttribute('id') ?? '');
}
