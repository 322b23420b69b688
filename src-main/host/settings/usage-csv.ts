import type { UsageRow } from '../../contract/commands/usage';

/** Quotes commas, quotes and line ends, and marks a name as text that a spreadsheet would take for a formula. */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The rows as CSV for spreadsheets. */
export function csvOf(rows: readonly UsageRow[], nameOf: (projectId: string) => string): string {
  const head = [
    'day',
    'model',
    'project',
    'requests',
    'input_tokens',
    'cache_read_tokens',
    'cache_write_tokens',
    'output_tokens',
    'reasoning_tokens',
    'cost_usd',
    'requests_of_unknown_price',
    'requests_of_unknown_tokens',
  ];
  const lines = rows.map((row) =>
    [
      row.day,
      row.model,
      row.projectId === null ? '' : nameOf(row.projectId),
      row.requests,
      row.input,
      row.cacheRead,
      row.cacheWrite,
      row.output,
      row.reasoning,
      row.cost / 1_000_000,
      row.unpriced,
      row.untold,
    ].map(cell),
  );
  return `${[head, ...lines].map((line) => line.join(',')).join('\r\n')}\r\n`;
}
