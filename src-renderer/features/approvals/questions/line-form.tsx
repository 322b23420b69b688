import type { ReactNode } from 'react';
import { Button, Field, Input } from '../../../ui';

interface LineFormProps {
  label: string;
  /** An example of valid input. */
  placeholder: string;
  value: string;
  onChange(value: string): void;
  /** The label of its button. */
  action: string;
  onSubmit(): void;
  /** The error of the last attempt. */
  error: string | undefined;
  /** The result. */
  children?: ReactNode;
}

/** A one-line code field with a button. */
export const LineForm = (props: LineFormProps) => (
  <form
    data-no-draft
    className="flex flex-col gap-2"
    onSubmit={(event) => {
      event.preventDefault();
      props.onSubmit();
    }}
  >
    <Field label={props.label} error={props.error}>
      {(ids) => (
        <span className="flex gap-2">
          <Input
            {...ids}
            mono
            spellCheck={false}
            placeholder={props.placeholder}
            value={props.value}
            onChange={(event) => props.onChange(event.target.value)}
          />
          <Button type="submit">{props.action}</Button>
        </span>
      )}
    </Field>
    {props.children}
  </form>
);
