import { useRef, useState } from 'react';

interface RenameFieldProps {
  label: string;
  value: string;
  max: number;
  onSave(value: string): void;
  onDone(): void;
}

/** Renames a row in place. Enter and blur save, Escape cancels. */
export const RenameField = ({ label, value: shown, max, onSave, onDone }: RenameFieldProps) => {
  // The name can change meanwhile, such as to the title of a model: a field that was left as it was must not undo that.
  const [before] = useState(shown);
  const [value, setValue] = useState(before);
  const isOver = useRef(false);
  const end = (save: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    if (save && value !== before) onSave(value);
    onDone();
  };
  return (
    <input
      ref={(input) => input?.focus()}
      aria-label={label}
      value={value}
      maxLength={max}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setValue(event.target.value)}
      onBlur={() => end(true)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') end(true);
        if (event.key === 'Escape') end(false);
        event.stopPropagation();
      }}
      className="ml-5 h-7 w-[calc(100%-1.25rem)] rounded-control border border-accent bg-bg px-2 outline-none"
    />
  );
};
