import type { ErrorCode } from '@contract/errors';
import { type RefObject, useEffect, useState } from 'react';

/** A field of the form. */
export type ServerField = 'name' | 'command' | 'args' | 'url' | 'secrets' | 'timeout';

/** What is wrong, and the field that it is about; null: with the whole form. */
interface Fault {
  field: ServerField | null;
  message: string;
}

/** A variable or header. `kept`: it has a stored value, which stays unless a new one is typed. */
export interface SecretRow {
  key: number;
  name: string;
  kept: boolean;
}

/** The fields that errors of the main process are about. */
const FIELDS: Partial<Record<ErrorCode, ServerField>> = {
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
};

export const fieldOf = (code: string | undefined): ServerField | null =>
  Object.entries(FIELDS).find(([one]) => one === code)?.[1] ?? null;

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

/** The fault, and what to say at a field. A new fault focuses its field, or at least scrolls to its message. */
export function useFault(form: RefObject<HTMLFormElement | null>) {
  const [fault, setFault] = useState<Fault>();
  useEffect(() => {
    if (fault === undefined) return;
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (field != null) field.focus();
    else form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
  }, [fault, form]);
  const at = (field: ServerField) => (fault?.field === field ? fault.message : undefined);
  return { fault, setFault, at };
}
