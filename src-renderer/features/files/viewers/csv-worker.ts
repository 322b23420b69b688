import Papa from 'papaparse';

export interface CsvRequest {
  text: string;
  delimiter: string;
}

export interface CsvTable {
  rows: string[][];
  /** There are more rows. */
  cut: boolean;
}

/** Rows that are shown. */
const MAX_ROWS = 500_000;

self.onmessage = ({ data }: MessageEvent<CsvRequest>) => {
  const { data: rows } = Papa.parse<string[]>(data.text, {
    delimiter: data.delimiter,
    skipEmptyLines: 'greedy',
    preview: MAX_ROWS + 1,
  });
  const table: CsvTable = { rows: rows.slice(0, MAX_ROWS), cut: rows.length > MAX_ROWS };
  self.postMessage(table);
};
