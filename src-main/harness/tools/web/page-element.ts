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
  getElementsByTagName(name: string): ArrayLike<PageNode>;
  ownerDocument: { getElementsByTagName(name: string): ArrayLike<PageNode> };
}

export const element = (node: unknown): PageElement => node as PageElement;

export const isElement = (node: PageNode): node is PageElement => node.nodeType === 1;
