interface CheckProps {
  label: string;
  hint: string;
  checked: boolean;
  onChange(checked: boolean): void;
}

/** A setting that is on or off, with a line about it. */
export const Check = ({ label, hint, checked, onChange }: CheckProps) => (
  <label className="flex items-start gap-2">
    <input
      type="checkbox"
      className="mt-1 shrink-0 accent-accent"
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span>
      {label}
      <span className="block text-small text-fg-3">{hint}</span>
    </span>
  </label>
);
