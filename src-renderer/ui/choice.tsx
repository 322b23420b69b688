import { Field, Select } from './input';

interface ChoiceProps<V extends string> {
  label: string;
  value: V;
  options: readonly { value: V; label: string }[];
  /** What is wrong with the choice. */
  error?: string | undefined;
  onChange(value: V): void;
}

/** A single choice among several options, below its label. */
export const Choice = <V extends string>({ label, value, options, error, onChange }: ChoiceProps<V>) => (
  <Field label={label} error={error}>
    {(ids) => (
      <Select
        {...ids}
        options={options}
        value={value}
        onChange={(event) => {
          const chosen = options.find((other) => other.value === event.target.value);
          if (chosen) onChange(chosen.value);
        }}
      />
    )}
  </Field>
);
