import type { ErrorInWords } from '@contract/result';
import { useEffect, useRef, useState } from 'react';
import { useT } from '../../../i18n';
import { cx } from '../../../ui';

/** Maximum bytes of a name on every common file system. */
const MAX_NAME = 255;

interface NameFieldProps {
  label: string;
  name: string;
  /** Returns the error, if any. */
  onName(name: string): Promise<ErrorInWords | undefined>;
  onCancel(): void;
}

/** A name field in a row of the tree. Enter applies the name, Escape cancels, and errors appear below the field. */
export const NameField = ({ label, name, onName, onCancel }: NameFieldProps) => {
  const t = useT();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(name);
  const [error, setError] = useState<string>();
  const isBusy = useRef(false);
  const note = useRef<HTMLSpanElement>(null);
  // Below the last visible row it would be out of sight.
  useEffect(() => {
    if (error !== undefined) note.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);

  useEffect(() => {
    const input = field.current;
    if (input === null) return;
    input.focus();
    // Typing immediately keeps the extension.
    const dot = name.lastIndexOf('.');
    input.setSelectionRange(0, dot > 0 ? dot : name.length);
  }, [name]);

  const take = async (wanted: string) => {
    const next = wanted.trim();
    if (isBusy.current) return;
    if (next === '' || next === name) {
      onCancel();
      return;
    }
    const problem = problemOf(next);
    if (problem !== undefined) {
      setError(t(problem));
      return;
    }
    isBusy.current = true;
    const failed = await onName(next);
    isBusy.current = false;
    if (failed) setError(failed.message);
  };

  return (
    <span className="relative flex min-w-0 grow">
      <input
        ref={field}
        aria-label={label}
        aria-invalid={error !== undefined}
        spellCheck={false}
        value={typed}
        className={cx(
          'h-6 w-full min-w-0 rounded-control border bg-bg px-1 outline-none',
          error === undefined ? 'border-accent' : 'border-deny',
        )}
        onChange={(event) => {
          setTyped(event.target.value);
          setError(undefined);
        }}
        onClick={(event) => event.stopPropagation()}
        onMouseDown={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') void take(typed);
          else if (event.key === 'Escape') onCancel();
        }}
        onBlur={() => {
          if (error !== undefined) onCancel();
          else void take(typed);
        }}
      />
      {error !== undefined && (
        <span
          ref={note}
          role="alert"
          className="absolute top-7 left-0 z-10 w-full rounded-control border border-deny bg-raised px-2 py-1 text-small wrap-anywhere text-deny shadow-float"
        >
          {error}
        </span>
      )}
    </span>
  );
};

function problemOf(name: string) {
  const parts = name.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return 'files.nameInvalid';
  return parts.some((part) => new TextEncoder().encode(part).length > MAX_NAME)
    ? 'files.nameLong'
    : undefined;
}
