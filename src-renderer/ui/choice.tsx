import { Field, Select } from './input';

interface ChoiceProps<V extends string> {
  label: string;
  value: V;
  options: readonly { value: V; label: string }[];
  onChange(value: V): void;
}

/** A single choice among several options, below its label. */
export const Choice = <V extends string>({ label, value, options, onChange }: ChoiceProps<V>) => (
  <Field label={label}>
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
