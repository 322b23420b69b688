import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react';
import { cx } from './cx';
import { Spinner } from './spinner';
import { Tooltip } from './tooltip';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover forced-color-adjust-none',
  secondary: 'border border-line-strong bg-raised text-fg hover:bg-hover',
  ghost: 'text-fg-2 hover:bg-hover hover:text-fg',
  danger: 'border border-line-strong bg-raised text-deny hover:bg-deny-soft',
};

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: ButtonVariant;
  size?: 'sm' | 'md';
  icon?: ReactNode;
  /**
   * Work is in progress: shows a spinner and ignores clicks. It keeps the focus, which a disabled button would lose. With
   * `aria-disabled`, a button is the same without a spinner.
   */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/**
 * The second click of a double click was meant for what was there before: a destructive button that came under the pointer
 * with the first one ignores it. A click that does not count must not submit a form either.
 */
function clickIf(counts: boolean, event: MouseEvent<HTMLButtonElement>, onClick: ButtonProps['onClick']) {
  if (counts) onClick?.(event);
  else event.preventDefault();
}

const isOn = (value: ButtonProps['aria-disabled']): boolean => value === true || value === 'true';

/** A button with a text label. At most one `primary` per place; destructive actions are `danger`, never primary. */
export const Button = ({
  variant = 'secondary',
  size = 'md',
  icon,
  busy = false,
  className,
  children,
  disabled,
  'aria-disabled': isOff,
  onClick,
  ...rest
}: ButtonProps) => (
  <button
    type="button"
    disabled={disabled}
    aria-busy={busy || undefined}
    aria-disabled={busy || isOff}
    className={cx(
      'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-control font-medium whitespace-nowrap disabled:opacity-50 aria-disabled:opacity-50',
      size === 'sm' ? 'h-6 min-h-target px-2 text-small' : 'h-8 px-3 text-body',
      variants[variant],
      className,
    )}
    onClick={(event) =>
      clickIf(!busy && !isOn(isOff) && (variant !== 'danger' || event.detail <= 1), event, onClick)
    }
    {...rest}
  >
    {busy ? <Spinner /> : icon}
    {children}
  </button>
);

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> {
  /** Names the action: the accessible name and the tooltip. */
  label: string;
  icon: ReactNode;
  shortcut?: string | undefined;
  size?: 'sm' | 'md';
  pressed?: boolean;
  side?: 'top' | 'bottom' | 'left' | 'right';
  ref?: Ref<HTMLButtonElement>;
}

/** An icon-only button; its name is shown as a tooltip. */
export const IconButton = ({
  label,
  icon,
  shortcut,
  size = 'md',
  pressed,
  side,
  className,
  onClick,
  ...rest
}: IconButtonProps) => (
  <Tooltip label={label} shortcut={shortcut} {...(side ? { side } : {})}>
    <button
      type="button"
      aria-label={label}
      aria-pressed={pressed}
      className={cx(
        'inline-flex shrink-0 items-center justify-center rounded-control text-fg-2 hover:bg-hover hover:text-fg disabled:opacity-40 aria-disabled:opacity-40',
        size === 'sm' ? 'size-6' : 'size-7',
        // Keeps the touch target large enough at small text sizes.
        'min-h-target min-w-target',
        pressed === true && 'bg-hover text-fg',
        className,
      )}
      onClick={(event) => clickIf(!isOn(rest['aria-disabled']), event, onClick)}
      {...rest}
    >
      {icon}
    </button>
  </Tooltip>
);
