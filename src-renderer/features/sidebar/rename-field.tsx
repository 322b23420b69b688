import { useRef, useState } from 'react';

interface RenameFieldProps {
  label: string;
  value: string;
  max: number;
  onSave(value: string): void;
  onDone(): void;
}

/** Renames a row in place. Enter and blur save, Escape cancels. */
export const RenameField = ({ label, value: before, max, onSave, onDone }: RenameFieldProps) => {
  const [value, setValue] = useState(before);
  const isOver = useRef(false);
  const end = (save: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    if (save) onSave(value);
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
