import type { ComponentProps, KeyboardEvent, ReactNode } from 'react';
import { Button, type ButtonVariant, Kbd } from '../../ui';

/** Where the buttons stand: at the end, always in sight. */
export const Bar = ({ armed, children }: { armed: boolean; children: ReactNode }) => (
  <footer
    aria-busy={!armed}
    className="flex shrink-0 flex-wrap items-center justify-end gap-x-1.5 gap-y-1 px-3 py-2 [@container(max-height:20rem)]:py-1"
  >
    {children}
  </footer>
);

/** How `aria-keyshortcuts` names the keys that a button shows. */
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

/** A button that shows its key. */
export const KeyButton = ({ keys, variant, children, ...rest }: KeyButtonProps) => (
  <Button
    {...rest}
    {...(variant === undefined ? {} : { variant })}
    {...(keys === undefined ? {} : { 'aria-keyshortcuts': SPOKEN[keys] ?? keys })}
  >
    {children}
    {keys !== undefined && (
      <span aria-hidden className="flex">
        <Kbd onAccent={variant === 'primary'}>{keys}</Kbd>
      </span>
    )}
  </Button>
);

/** Where the buttons of a form stand: at its end, in sight while the form scrolls. */
export const FORM_BAR =
  'sticky bottom-0 -mb-2.5 flex flex-wrap items-center justify-end gap-2 bg-raised pt-1 pb-2.5';

/** The keys that send a form which allows something. */
export const sendKeys = (mac: boolean): string => (mac ? '⌘↵' : 'Ctrl ↵');

/**
 * Whether a key in a form sends it: Ctrl+Enter always, a plain Enter as `plain` says. `line`: also from a field of several
 * lines; `never`: from nowhere, not even where the browser would send it.
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
  // Buttons that send nothing keep their Enter.
  const sends =
    target instanceof HTMLInputElement || (target instanceof HTMLButtonElement && target.type === 'submit');
  if (plain === 'never' && sends) event.preventDefault();
  return false;
}
