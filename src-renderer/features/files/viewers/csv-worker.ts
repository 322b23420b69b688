import { type CsvRequest, csvTable } from './csv-table';

self.onmessage = ({ data }: MessageEvent<CsvRequest>) => self.postMessage(csvTable(data));
