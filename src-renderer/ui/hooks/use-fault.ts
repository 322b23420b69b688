import { type RefObject, useEffect, useState } from 'react';

/** What is wrong, and the field that it is about; null: with the whole form. */
interface Fault<Name extends string> {
  field: Name | null;
  message: string;
}

/** The error of a command that a form sent. */
export interface Refusal {
  kind: string;
  code?: string | undefined;
  values?: Readonly<Record<string, unknown>> | undefined;
  message: string;
}

const noField = () => null;

/**
 * What is wrong in a form, and what to say at a field. A new fault focuses its field, or at least scrolls to its message. If the
 * form does not show the field, the fault is about the whole form. `fieldOf`: the field that an error of a command is about.
 */
export function useFault<Name extends string>(
  form: RefObject<HTMLFormElement | null>,
  fieldOf: (error: Refusal) => Name | null = noField,
) {
  const [fault, setFault] = useState<Fault<Name>>();
  useEffect(() => {
    if (fault === undefined) return;
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    const alerts = form.current?.querySelectorAll('[role="alert"]') ?? [];
    const message = [...alerts].find(({ textContent }) => textContent?.includes(fault.message));
    if (field != null) {
      const folded = field.closest('details');
      if (folded !== null) folded.open = true;
      field.focus();
    } else if (message !== undefined) message.scrollIntoView({ block: 'nearest' });
    else if (fault.field !== null) setFault({ field: null, message: fault.message });
  }, [fault, form]);
  const at = (field: Name) => (fault?.field === field ? fault.message : undefined);
  /** A command failed. What the person canceled is no fault. */
  const refused = (error: Refusal) =>
    setFault(error.kind === 'cancelled' ? undefined : { field: fieldOf(error), message: error.message });
  return { fault, setFault, refused, at };
}

/** The field that an error of a command is about, by its code; null if the form has none for it. */
export const fieldsByCode =
  <Name extends string>(fields: Readonly<Record<string, Name>>) =>
  ({ code }: Pick<Refusal, 'code'>): Name | null =>
    Object.entries(fields).find(([one]) => one === code)?.[1] ?? null;
