import type { ErrorCode } from '@contract/errors';
import { fieldsByCode } from '../../ui';

/** A field of the form. */
export type ServerField = 'name' | 'command' | 'args' | 'url' | 'secrets' | 'timeout';

/** A variable or header. Its value is in the field. */
export interface SecretRow {
  key: number;
  name: string;
}

/** The fields that errors of the main process are about. */
const FIELDS = {
  server_exists: 'name',
  server_program_missing: 'command',
  masked_argument: 'args',
  server_address_missing: 'url',
  address_scheme: 'url',
  masked_address: 'url',
  server_variable_twice: 'secrets',
  not_a_variable_name: 'secrets',
  not_a_header_name: 'secrets',
  server_value_missing: 'secrets',
} as const satisfies Partial<Record<ErrorCode, ServerField>>;

export const fieldOf = fieldsByCode(FIELDS);

/** What the form itself knows to be wrong. */
export function wrongIn(name: string, rows: readonly SecretRow[], seconds: number) {
  if (name.trim() === '') return { field: 'name', why: 'mcp.nameMissing' } as const;
  if (rows.some((row) => row.name.trim() === ''))
    return { field: 'secrets', why: 'mcp.secretNameMissing' } as const;
  const isTime = Number.isInteger(seconds) && seconds >= 1 && seconds <= 3_600;
  return isTime ? undefined : ({ field: 'timeout', why: 'mcp.timeoutWrong' } as const);
}

/** Whether a row has no name, or that of another one. */
export const isUnfit = ({ name }: SecretRow, rows: readonly SecretRow[]): boolean =>
  name.trim() === '' || rows.filter((other) => other.name.trim() === name.trim()).length > 1;
