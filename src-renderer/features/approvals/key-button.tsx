import { optional } from '@contract/shared/optional';
import type { ComponentProps, KeyboardEvent, ReactNode } from 'react';
import { Button, type ButtonVariant, cx, Kbd } from '../../ui';

interface BarProps {
  armed: boolean;
  /** Stays in view where the whole card scrolls. Otherwise what it covered would count as seen. */
  isSticky?: boolean;
  children: ReactNode;
}

/** The button bar at the end. */
export const Bar = ({ armed, isSticky = false, children }: BarProps) => (
  <footer
    aria-busy={!armed}
    className={cx(
      isSticky && '[@container(max-height:15rem)]:sticky [@container(max-height:15rem)]:bottom-0',
      'flex shrink-0 flex-wrap items-center justify-end gap-x-1.5 gap-y-1 bg-raised px-3 py-2 [@container(max-height:20rem)]:py-1',
    )}
  >
    {children}
  </footer>
);

/** The `aria-keyshortcuts` names of the keys shown on buttons. */
const SPOKEN: Partial<Record<string, string>> = {
  '↵': 'Enter Control+Enter',
  'Ctrl ↵': 'Control+Enter',
  '⌘↵': 'Meta+Enter',
  Esc: 'Escape',
};

interface KeyButtonProps extends ComponentProps<typeof Button> {
  keys: string | undefined;
  variant?: ButtonVariant;
}

export const KeyButton = ({ keys, variant, children, ...rest }: KeyButtonProps) => (
  <Button
    {...rest}
    {...optional({ variant })}
    {...(keys === undefined ? {} : { 'aria-keyshortcuts': SPOKEN[keys] ?? keys })}
  >
    {children}
    {keys !== undefined && (
      <span aria-hidden className="flex [@container(max-height:15rem)]:hidden">
        <Kbd onAccent={variant === 'primary'}>{keys}</Kbd>
      </span>
    )}
  </Button>
);

/** The button bar of a form: at its end, visible while the form scrolls. */
export const FORM_BAR =
  'sticky bottom-0 -mb-2.5 flex flex-wrap items-center justify-end gap-2 bg-raised pt-1 pb-2.5';

/** The keys that submit a form that allows something. */
export const sendKeys = (mac: boolean): string => (mac ? '⌘↵' : 'Ctrl ↵');
/** A letter with Shift, for what a high-risk card does not do on one key. */
export const shifted = (mac: boolean, key: string): string => (mac ? `⇧${key}` : `Shift ${key}`);

/**
 * Whether a key submits a form: Ctrl+Enter always does, a plain Enter as `plain` says. `line`: even in a multi-line field.
 * `never`: not even where the browser would submit.
 */
export function sendsForm(event: KeyboardEvent, plain: 'line' | 'browser' | 'never'): boolean {
  if (event.key !== 'Enter' || event.repeat || event.nativeEvent.isComposing) return false;
  const { target } = event;
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    return true;
  }
  const isText = target instanceof HTMLTextAreaElement;
  if (plain === 'line' && isText && !event.shiftKey) {
    event.preventDefault();
    return true;
  }
  // Buttons that do not submit keep their Enter.
  const sends =
    target instanceof HTMLInputElement || (target instanceof HTMLButtonElement && target.type === 'submit');
  if (plain === 'never' && sends) event.preventDefault();
  return false;
}
