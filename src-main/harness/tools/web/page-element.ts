/** The part of the DOM that the conversion of pages uses. The main process has no types of it. */
export interface PageNode {
  nodeName: string;
  nodeType: number;
  textContent: string | null;
  childNodes: ArrayLike<PageNode>;
}

export interface PageElement extends PageNode {
  parentElement: PageElement | null;
  previousElementSibling: PageElement | null;
  children: { length: number };
  getAttribute(name: string): string | null;
  getElementsByTagName(name: string): { length: number };
}

export const element = (node: unknown): PageElement => node as PageElement;

export const isElement = (node: PageNode): node is PageElement => node.nodeType === 1;

const HIDING_STYLE =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:font-size|opacity)\s*:\s*0{0,9}\.?0{1,9}(?:px|pt|r?em|%)?)\s*(?:!\s*important\s*)?(?:;|$)/i;

/** Whether the page says that nobody sees an element: instructions for a model would be there. Style sheets are not read. */
export function isHidden(node: PageElement): boolean {
  const hidden = node.getAttribute('hidden');
  if (hidden !== null && hidden.toLowerCase() !== 'until-found') return true;
  return HIDING_STYLE.test(node.getAttribute('style') ?? '');
}
