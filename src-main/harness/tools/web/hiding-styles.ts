import { isHiddenByKnownClass } from './known-classes';
import type { PageElement } from './page-element';

/** UTF-16 units of the style sheets in a page; of longer ones, only the start is read. */
const MAX_SHEETS = 500_000;
/** Selectors that are compared with elements. */
const MAX_SELECTORS = 500;

const ZERO = /^0*\.?0+(?:px|pt|r?em|%)?$/;
/** Far outside of any screen. */
const FAR = /^-\d{4,}(?:\.\d+)?(?:px|pt|r?em)$/;

/** Whether declarations, such as those of a `style` attribute, let nobody see an element. */
function isHiding(declarations: string): boolean {
  const set = new Map<string, string>();
  for (const one of declarations.toLowerCase().split(';')) {
    const at = one.indexOf(':');
    if (at > 0)
      set.set(
        one.slice(0, at).trim(),
        one
          .slice(at + 1)
          .replace('!important', '')
          .replaceAll(/\s/g, ''),
      );
  }
  const is = (name: string, value: RegExp) => value.test(set.get(name) ?? '');
  const color = set.get('color');
  return (
    is('display', /^none$/) ||
    is('visibility', /^(?:hidden|collapse)$/) ||
    is('font-size', ZERO) ||
    is('opacity', ZERO) ||
    ['left', 'top', 'text-indent'].some((name) => is(name, FAR)) ||
    (is('overflow', /^hidden|^clip/) &&
      ['height', 'max-height', 'width', 'max-width'].some((name) => is(name, ZERO))) ||
    // A heading that shows its background through its letters is transparent, too.
    (color !== undefined &&
      (color === 'transparent' || color === (set.get('background-color') ?? set.get('background'))) &&
      !/background-clip/.test(declarations.toLowerCase()))
  );
}

/** A selector of one element by its classes and id, such as `p.note`. */
interface Selector {
  tag: string;
  names: string[];
}

/** By the first class (`.note`) or id (`#note`) of a selector. */
type HidingRules = ReadonlyMap<string, Selector[]>;

const SELECTOR = /^([a-z][\w-]*)?((?:[.#][\w-]+)+)$/i;
const NAMES = /[.#][\w-]+/g;

/**
 * Which elements the style sheets in a page hide. Only what is certain without a browser: rules for a class or an id outside of
 * `@media` and the like, unless the sheets name it elsewhere in what may show it again, as for tabs and menus.
 */
function hidingRules(sheets: string): HidingRules {
  const hiding: Selector[] = [];
  const maybeShown = new Set<string>();
  for (const { prelude, body } of rulesIn(withoutComments(sheets.slice(0, MAX_SHEETS)))) {
    const isGroup = prelude.startsWith('@') || body.includes('{');
    const hides = !isGroup && isHiding(body);
    const selectors = hides ? prelude.split(',').map((one) => SELECTOR.exec(one.trim())) : [];
    for (const selector of selectors)
      if (selector !== null)
        hiding.push({ tag: (selector[1] ?? '').toUpperCase(), names: selector[2]?.match(NAMES) ?? [] });
    const mayShow = isGroup
      ? prelude + body
      : /display|visibility|opacity|font-size|height|left|top/i.test(body)
        ? prelude
        : '';
    if (!hides) for (const name of mayShow.match(NAMES) ?? []) maybeShown.add(name);
  }
  const byName = new Map<string, Selector[]>();
  for (const selector of hiding.slice(0, MAX_SELECTORS)) {
    if (selector.names.some((name) => maybeShown.has(name))) continue;
    const [first = ''] = selector.names;
    const others = byName.get(first) ?? [];
    others.push(selector);
    byName.set(first, others);
  }
  return byName;
}

/** In linear time, also for comments that never end. */
const withoutComments = (css: string): string =>
  css
    .split('/*')
    .map((part, at) => {
      const end = part.indexOf('*/');
      return at === 0 ? part : end === -1 ? '' : part.slice(end + 2);
    })
    .join(' ');

/** The rules of a style sheet, and groups such as `@media` as a whole. */
function* rulesIn(css: string): Generator<{ prelude: string; body: string }> {
  let start = 0;
  let open = 0;
  let depth = 0;
  for (const { 0: mark, index } of css.matchAll(/[{};]/g)) {
    if (mark === ';') {
      // A statement, such as `@import`.
      if (depth === 0) start = index + 1;
    } else if (mark === '{') {
      if (depth === 0) open = index;
      depth += 1;
    } else if (depth > 0) {
      depth -= 1;
      if (depth > 0) continue;
      yield { prelude: css.slice(start, open).trim(), body: css.slice(open + 1, index) };
      start = index + 1;
    }
  }
}

/** By document: each has its own style sheets. */
const known = new WeakMap<object, HidingRules>();

/** Whether a style sheet in the page, or surely one in another file, hides the element. */
export function isHiddenBySheet(node: PageElement): boolean {
  if (isHiddenByKnownClass(node)) return true;
  const { ownerDocument: page } = node;
  const rules = known.get(page) ?? hidingRules(textOfSheets(page));
  known.set(page, rules);
  if (rules.size === 0) return false;
  const id = node.getAttribute('id');
  const classes = (node.getAttribute('class') ?? '').split(/\s+/).map((name) => `.${name}`);
  const names = new Set(id === null ? classes : [...classes, `#${id}`]);
  return [...names].some((name) =>
    rules
      .get(name)
      ?.some(
        (rule) =>
          (rule.tag === '' || rule.tag === node.nodeName) && rule.names.every((one) => names.has(one)),
      ),
  );
}

const textOfSheets = (page: PageElement['ownerDocument']): string =>
  Array.from(page.getElementsByTagName('style'), ({ textContent }) => textContent ?? '').join('\n');

/** Whether the page says that nobody sees an element: instructions for a model would be there. */
export function isHidden(node: PageElement): boolean {
  const hidden = node.getAttribute('hidden');
  if (hidden !== null && hidden.toLowerCase() !== 'until-found') return true;
  return isHiding(node.getAttribute('style') ?? '') || isHiddenBySheet(node);
}
