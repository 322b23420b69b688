import { type RefObject, useEffect, useState } from 'react';

/** What is wrong, and the field that it is about; null: with the whole form. */
interface Fault<Name extends string> {
  field: Name | null;
  message: string;
}

/**
 * What is wrong in a form, and what to say at a field. A new fault focuses its field, or at least scrolls to its message. If the
 * form does not show the field, the fault is about the whole form.
 */
export function useFault<Name extends string>(form: RefObject<HTMLFormElement | null>) {
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
  return { fault, setFault, at };
}

/** The field that an error of a command is about, if the form has one for its code. */
export const fieldFor = <Name extends string>(
  fields: Readonly<Record<string, Name>>,
  code: string | undefined,
): Name | null => Object.entries(fields).find(([one]) => one === code)?.[1] ?? null;
