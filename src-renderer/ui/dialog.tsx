import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef, useState } from 'react';
import { Button, IconButton } from './button';
import { cx } from './cx';
import { useTellOwner } from './dialog-owner';
import { returnFocus } from './focus/keep-focus';
import { useHalfFilled } from './half-filled';
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

/**
 * A modal dialog; Escape, the cross and a click beside it close it. While a form in it is half filled, Escape and the cross ask
 * first, and the click does nothing.
 */
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
  const { onFocus, isHalfFilled } = useHalfFilled(content);
  const [isAsking, setAsking] = useState(false);
  if (isAsking && !open) setAsking(false);
  useTellOwner(open);
  return (
    <Radix.Root
      open={open}
      onOpenChange={(next) => (!next && isHalfFilled() ? setAsking(true) : onOpenChange(next))}
    >
      <Radix.Portal>
        <Radix.Overlay data-dialog className="fixed inset-0 z-40 bg-scrim animate-appear" />
        <Radix.Content
          ref={content}
          onFocus={onFocus}
          // A click that went astray is no reason for a question.
          onInteractOutside={(event) => {
            if (isHalfFilled()) event.preventDefault();
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
          {children !== undefined && (
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
          )}
          {footer !== undefined && (
            <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>
          )}
          {isAsking && (
            <DiscardQuestion onKeep={() => setAsking(false)} onDiscard={() => onOpenChange(false)} />
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
};

const DiscardQuestion = ({ onKeep, onDiscard }: { onKeep(): void; onDiscard(): void }) => {
  const words = useWords();
  return (
    <Dialog
      open
      onOpenChange={onKeep}
      title={words.discardTitle}
      footer={
        <>
          <Button variant="ghost" onClick={onKeep}>
            {words.keepEditing}
          </Button>
          <Button variant="danger" onClick={onDiscard}>
            {words.discard}
          </Button>
        </>
      }
    />
  );
};
