import { element, type PageElement } from './page-element';

/** Classes that hide in the style sheets of Bootstrap, Tailwind, Bulma, UIkit, Foundation and the US government. */
const HIDING: ReadonlySet<string> = new Set([
  ...['d-none', 'invisible', 'hidden', 'is-hidden', 'is-invisible', 'uk-hidden', 'hide', 'display-none'],
]);
/** Classes that show it again, on some screens or in some states: `md:block`, `d-lg-flex`. */
const SHOWING =
  /:(?:display-)?(?:block|flex|grid|inline|table|list-item|flow-root|contents|visible)|^d-(?:\w+-)?(?!none)(?:block|flex|grid|inline|table)|^uk-open$/;
/** Attributes with the ids of what a control shows. */
const CONTROLS = ['aria-controls', 'data-bs-target', 'data-target', 'data-tabs-target', 'href'];

interface Page {
  /** It has style sheets in other files, which are not read. */
  isStyledElsewhere: boolean;
  /** Its own style sheets, which are read for themselves. */
  sheets: string;
  /** Ids of what its controls show. */
  controlled: ReadonlySet<string>;
}

const known = new WeakMap<object, Page>();

function pageOf(document: PageElement['ownerDocument']): Page {
  const all = (tag: string) => Array.from(document.getElementsByTagName(tag), element);
  const links = all('link').map((link) => link.getAttribute('rel') ?? '');
  const isStyledElsewhere = links.some((rel) => /(?:^|\s)stylesheet(?:\s|$)/i.test(rel));
  const targets = isStyledElsewhere
    ? all('*').flatMap((node) => CONTROLS.map((name) => node.getAttribute(name) ?? ''))
    : [];
  return {
    isStyledElsewhere,
    sheets: all('style')
      .map(({ textContent }) => textContent ?? '')
      .join('\n'),
    controlled: new Set(targets.flatMap((target) => target.split(/\s+/)).map((id) => id.replace(/^#/, ''))),
  };
}

/**
 * Whether a style sheet in another file hides an element for sure, as far as its class is a well-known one. Not what the page
 * has a control for, such as a tab.
 */
export function isHiddenByKnownClass(node: PageElement): boolean {
  const classes = (node.getAttribute('class') ?? '').split(/\s+/);
  const hiding = classes.filter((name) => HIDING.has(name));
  if (hiding.length === 0 || classes.some((name) => SHOWING.test(name))) return false;
  const { ownerDocument: document } = node;
  const page = known.get(document) ?? pageOf(document);
  known.set(document, page);
  const id = node.getAttribute('id') ?? '';
  const isControlled =
    /^(?:tabpanel|menu|dialog)$/i.test(node.getAttribute('role') ?? '') ||
    (id !== '' && page.controlled.has(id));
  return page.isStyledElsewhere && !isControlled && hiding.some((name) => !page.sheets.includes(`.${name}`));
}
