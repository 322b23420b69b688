import type { ReactNode } from 'react';
import { Button, ErrorNote, Field, Input } from '../../ui';

interface LineFormProps {
  label: string;
  /** An example of what may be written. */
  placeholder: string;
  value: string;
  onChange(value: string): void;
  /** What its button says. */
  action: string;
  onSubmit(): void;
  /** What was wrong with it the last time. */
  error: string | undefined;
  /** What came of it. */
  children?: ReactNode;
}

/** One line of code to write, with a button beside it. */
export const LineForm = (props: LineFormProps) => (
  <form
    className="flex flex-col gap-2"
    onSubmit={(event) => {
      event.preventDefault();
      props.onSubmit();
    }}
  >
    <Field label={props.label}>
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
    {props.error !== undefined && <ErrorNote message={props.error} />}
    {props.children}
  </form>
);
