import { isHidden } from './hiding-styles';
import { isElement, type PageElement } from './page-element';

/** Columns that are kept in line. */
const MAX_COLUMNS = 100;

/** The empty cells that stand before and after a cell, in place of what a span covers. */
export interface CellPlace {
  before: number;
  after: number;
}

/** Where the cells of a table stand: they may span rows and columns, for which Markdown has no form. */
export interface TableGrid {
  cells: ReadonlyMap<PageElement, CellPlace>;
  /** Columns of each row that has cells. */
  columns: ReadonlyMap<PageElement, number>;
}

export function gridOf(table: PageElement): TableGrid {
  const cells = new Map<PageElement, CellPlace>();
  const columns = new Map<PageElement, number>();
  for (const rows of groupsOf(table)) {
    // By column: the rows that a cell further up still covers. No cell reaches into another group.
    const covered: number[] = [];
    for (const row of rows) columns.set(row, placeRow(elementsOf(row, CELL), covered, cells));
  }
  return { cells, columns };
}

/** Places the cells of one row, which covers more of the next rows. Returns its columns. */
function placeRow(
  cells: readonly PageElement[],
  covered: number[],
  places: Map<PageElement, CellPlace>,
): number {
  let column = 0;
  let last: CellPlace | undefined;
  const skipTo = (end: number): number => {
    const from = column;
    for (; column < end; column += 1) covered[column] = Math.max(0, (covered[column] ?? 0) - 1);
    return column - from;
  };
  for (const cell of cells) {
    const before = skipTo(endOfCovered(covered, column));
    const width = Math.max(1, Math.min(spanOf(cell, 'colspan') || 1, MAX_COLUMNS - column));
    // Zero: all rows of the group.
    const height = spanOf(cell, 'rowspan') || Number.POSITIVE_INFINITY;
    for (const end = column + width; column < end; column += 1)
      if (column < MAX_COLUMNS) covered[column] = height - 1;
    last = { before, after: width - 1 };
    places.set(cell, last);
  }
  const rest = skipTo(covered.findLastIndex((rows) => rows > 0) + 1);
  if (last !== undefined) last.after += rest;
  return column;
}

function endOfCovered(covered: readonly number[], from: number): number {
  let end = from;
  while ((covered[end] ?? 0) > 0) end += 1;
  return end;
}

const CELL = /^T[DH]$/;
const GROUP = /^T(?:HEAD|BODY|FOOT)$/;

const groupsOf = (table: PageElement): PageElement[][] =>
  elementsOf(table, GROUP).map((group) => elementsOf(group, /^TR$/));

/** Those that a reader sees. */
const elementsOf = (parent: PageElement, name: RegExp): PageElement[] =>
  Array.from(parent.childNodes)
    .filter(isElement)
    .filter((child) => name.test(child.nodeName) && !isHidden(child));

function spanOf(cell: PageElement, name: 'colspan' | 'rowspan'): number {
  const span = Number.parseInt(cell.getAttribute(name) ?? '1', 10);
  return span >= 0 ? span : 1;
}
