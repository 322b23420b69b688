import { type FocusEvent, type RefObject, useRef } from 'react';

type FormField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isFormField = (element: unknown): element is FormField =>
  element instanceof HTMLInputElement ||
  element instanceof HTMLTextAreaElement ||
  element instanceof HTMLSelectElement;

const entryOf = (field: FormField): string =>
  field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type)
    ? String(field.checked)
    : field.value;

/**
 * Whether closing `area` would lose what was entered into a form. A form without a button to send it, or with
 * `data-no-draft`, applies by itself or only tries something out. `onFocus` notes what a field had before the person changed it.
 */
export function useHalfFilled(area: RefObject<HTMLElement | null>): {
  onFocus(event: FocusEvent): void;
  isHalfFilled(): boolean;
} {
  const before = useRef(new WeakMap<FormField, string>());
  return {
    onFocus: ({ target }) => {
      if (isFormField(target) && !before.current.has(target)) before.current.set(target, entryOf(target));
    },
    isHalfFilled: () =>
      [...(area.current?.querySelectorAll('form:has([type=submit]):not([data-no-draft])') ?? [])].some(
        (form) =>
          [...form.querySelectorAll('input, textarea, select')].some((field) => {
            const had = isFormField(field) ? before.current.get(field) : undefined;
            return had !== undefined && isFormField(field) && had !== entryOf(field);
          }),
      ),
  };
}
