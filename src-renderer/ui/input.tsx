import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';
import { cx } from './cx';

const well =
  'w-full min-w-0 rounded-control border border-line-strong bg-bg px-2 text-body text-fg outline-none placeholder:text-fg-3 focus-visible:border-accent focus-visible:ring-1 focus-visible:ring-accent aria-invalid:border-deny aria-invalid:focus-visible:ring-deny disabled:opacity-50';

/**
 * Maximum length of what is searched for, in characters. The contract accepts no longer query, and ranking by a pasted document
 * would block the window for a minute.
 */
export const MAX_QUERY = 400;

/** Words follow their language; commands, paths and code always run from left to right. */
const dirOf = (mono: boolean) => (mono ? 'ltr' : 'auto');

export interface InputProps extends InputHTMLAttributes<HTMLInputElement> {
  ref?: Ref<HTMLInputElement>;
  mono?: boolean;
  /** Shown before the text, 16 px. */
  icon?: ReactNode;
}

export const Input = ({ className, mono = false, icon, ...given }: InputProps) => {
  const rest = given.type === 'search' ? { maxLength: MAX_QUERY, ...given } : given;
  return icon === undefined ? (
    <input dir={dirOf(mono)} className={cx(well, 'h-8', mono && 'font-mono', className)} {...rest} />
  ) : (
    <span className="relative flex items-center">
      <span className="pointer-events-none absolute left-2 text-fg-3">{icon}</span>
      <input dir={dirOf(mono)} className={cx(well, 'h-8 pl-7', mono && 'font-mono', className)} {...rest} />
    </span>
  );
};

export interface TextareaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  ref?: Ref<HTMLTextAreaElement>;
  mono?: boolean;
  /** Grows with its text up to this height in pixels, then scrolls. */
  maxHeight?: number;
  /** Without border and background, for a container that already has them. */
  bare?: boolean;
}

export const Textarea = ({
  className,
  mono = false,
  maxHeight,
  bare = false,
  value,
  ref,
  ...rest
}: TextareaProps) => {
  const own = useRef<HTMLTextAreaElement>(null);
  const { rows = 2 } = rest;
  // The browser sizes the field to its content: measuring it on each key press would lay out the whole document several
  // times. `rows` has no effect then, so the minimum height covers that many lines plus padding and border; in em, to
  // follow the text size.
  useLayoutEffect(() => {
    const area = own.current;
    if (!area || maxHeight === undefined) return;
    const { fontSize, paddingTop, paddingBottom, borderTopWidth, borderBottomWidth } = getComputedStyle(area);
    const around = [paddingTop, paddingBottom, borderTopWidth, borderBottomWidth]
      .map((size) => Number.parseFloat(size) || 0)
      .reduce((sum, size) => sum + size);
    area.style.minHeight = `calc(${rows}lh + ${around / (Number.parseFloat(fontSize) || 1)}em)`;
    area.style.maxHeight = `${maxHeight}px`;
  }, [rows, maxHeight]);
  return (
    <textarea
      ref={(area) => {
        own.current = area;
        if (typeof ref === 'function') ref(area);
        else if (ref) ref.current = area;
      }}
      value={value}
      spellCheck={!mono}
      dir={dirOf(mono)}
      className={cx(
        bare ? 'w-full resize-none bg-transparent outline-none' : cx(well, 'resize-y py-1.5'),
        mono && 'font-mono',
        maxHeight !== undefined && 'field-sizing-content',
        className,
      )}
      {...rest}
    />
  );
};

export interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  options: readonly { value: string; label: string }[];
}

/** The system's native select. */
export const Select = ({ options, className, ...rest }: SelectProps) => (
  <select className={cx(well, 'h-8 pr-7', className)} {...rest}>
    {options.map((option) => (
      <option key={option.value} value={option.value}>
        {option.label}
      </option>
    ))}
  </select>
);

interface FieldProps {
  label: string;
  hint?: string | undefined;
  /** What is wrong with the value; announced to screen readers. */
  error?: string | undefined;
  /** Gets the ids to set on the control. */
  children: (ids: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': boolean;
  }) => ReactNode;
}

/** What is wrong with a field, below it. */
export const FieldError = ({ id, children }: { id?: string; children: string }) => (
  <p id={id} role="alert" className="text-small text-deny">
    {children}
  </p>
);

/** A control with its label, hint and error. */
export const Field = ({ label, hint, error, children }: FieldProps) => {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': note === undefined ? undefined : noteId,
        'aria-invalid': error !== undefined,
      })}
      {error !== undefined && <FieldError id={noteId}>{error}</FieldError>}
      {error === undefined && hint !== undefined && (
        <p id={noteId} className="text-small text-fg-3">
          {hint}
        </p>
      )}
    </div>
  );
};
