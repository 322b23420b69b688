/** The content of a form's uncontrolled field named `secret`, which no state holds. Null: nothing was typed. */
export function typedSecret(form: HTMLFormElement | null): string | null {
  const field = form?.elements.namedItem('secret');
  return field instanceof HTMLInputElement && field.value !== '' ? field.value : null;
}
