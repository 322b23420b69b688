import Papa from 'papaparse';

export interface CsvRequest {
  text: string;
  delimiter: string;
}

export interface CsvTable {
  rows: string[][];
  /** There are more rows or columns, or a cell is longer than shown. */
  cut: boolean;
}

/** Limits on what is shown: rows, columns, cells in total, and UTF-16 units per cell. */
const MAX_ROWS = 500_000;
const MAX_COLUMNS = 2_000;
const MAX_CELLS = 5_000_000;
const MAX_CELL = 10_000;

/** Parses the table in a text, up to the display limits. Runs in a worker. */
export function csvTable({ text, delimiter }: CsvRequest): CsvTable {
  const { data } = Papa.parse<string[]>(text, {
    delimiter,
    skipEmptyLines: 'greedy',
    preview: MAX_ROWS + 1,
  });
  const rows: string[][] = [];
  let cells = 0;
  let cut = false;
  for (const row of data) {
    cells += Math.min(row.length, MAX_COLUMNS);
    if (rows.length === MAX_ROWS || cells > MAX_CELLS) return { rows, cut: true };
    const isLong = row.some((cell) => cell.length > MAX_CELL);
    cut ||= isLong || row.length > MAX_COLUMNS;
    const shown = row.length > MAX_COLUMNS ? row.slice(0, MAX_COLUMNS) : row;
    rows.push(
      isLong ? shown.map((cell) => (cell.length > MAX_CELL ? `${cell.slice(0, MAX_CELL)}…` : cell)) : shown,
    );
  }
  return { rows, cut };
}
