import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { IconButton } from './button';
import { cx } from './cx';
import { returnFocus } from './keep-focus';
import { useWords } from './words';

interface DialogProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  description?: string;
  /** Buttons, the primary one last. */
  footer?: ReactNode;
  /** `wide` for dialogs with sections. */
  size?: 'small' | 'wide';
  children?: ReactNode;
}

/** A modal dialog; Escape, the cross and a click beside it close it. The click does not while a form in it is half filled. */
export const Dialog = ({
  open,
  onOpenChange,
  title,
  description,
  footer,
  size = 'small',
  children,
}: DialogProps) => {
  const words = useWords();
  const content = useRef<HTMLDivElement>(null);
  const filled = useRef(new WeakSet<Element>());
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay data-dialog className="fixed inset-0 z-40 bg-scrim animate-appear" />
        <Radix.Content
          ref={content}
          onInput={({ target }) => {
            const form = target instanceof Element ? target.closest('form') : null;
            if (form !== null) filled.current.add(form);
          }}
          // What was entered would be lost with a click that went astray. Without a button to send it, a form applies by itself.
          onInteractOutside={(event) => {
            const forms = [...(content.current?.querySelectorAll('form:has([type=submit])') ?? [])];
            if (forms.some((form) => filled.current.has(form))) event.preventDefault();
          }}
          onCloseAutoFocus={returnFocus}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          // Without a field that wants the focus, the dialog itself gets it: on the close button it would open the tooltip
          // immediately.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
          }}
          // A field that accepts any key as its value accepts Escape too.
          onEscapeKeyDown={(event) => {
            if (event.target instanceof Element && event.target.closest('[data-captures-keys]'))
              event.preventDefault();
          }}
          className={cx(
            'fixed top-1/2 left-1/2 z-40 flex max-h-[calc(100vh-3rem)] w-[calc(100vw-3rem)] -translate-1/2 flex-col rounded-card border border-line bg-raised shadow-float outline-none animate-appear',
            size === 'wide' ? 'h-dialog-tall max-w-dialog-wide' : 'max-w-dialog',
          )}
        >
          <div className="flex items-start gap-3 pt-4 pr-4 pb-3 pl-5">
            <div className="min-w-0 grow">
              <Radix.Title className="text-title font-semibold">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description className="mt-1 text-fg-2">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <IconButton className="-my-0.75" label={words.close} icon={<X size={16} />} />
            </Radix.Close>
          </div>
          <div
            data-scrolls
            className={cx(
              'min-h-0 grow overflow-y-auto px-5 pb-5 break-words',
              // Content that appears or disappears must not shift the rest.
              size === 'wide' && 'pr-2.5 [scrollbar-gutter:stable]',
            )}
          >
            {children}
          </div>
          {footer !== undefined && (
            <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
};
