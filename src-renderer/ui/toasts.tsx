import { withDirectionsShown } from '@contract/shared/unseen';
import { X } from 'lucide-react';
import { Button, IconButton } from './button';
import { useFocusBack } from './focus/use-focus-back';
import { useToastsStyle } from './toasts-place';
import { useWords } from './words';

export interface ToastItem {
  id: number;
  message: string;
  /** The message with its whole names, on hover. */
  full?: string;
  action?: { label: string; run: () => void };
  /** The subject: only the newest toast about a subject is shown. */
  about?: string;
}

/**
 * Short messages at the bottom, the newest lowest, above the composer if it reports its position. A dialog covers the
 * composer, so they appear at the top, in the free edge around the dialog. Suggestions above the composer must stay visible,
 * so they appear at the top then. Search overlays hang from the top, so they appear below them, at the end of the window.
 * They are hidden while something that the conversation takes is dragged over it, as they would cover what it says.
 */
export const Toasts = ({ items, onClose }: { items: readonly ToastItem[]; onClose(id: number): void }) => {
  const words = useWords();
  const keepsFocus = useFocusBack(items);
  const style = useToastsStyle();
  return (
    <div
      aria-live="polite"
      data-toasts
      style={style}
      {...keepsFocus}
      className="pointer-events-none fixed right-(--toasts-right,0) bottom-(--toasts-bottom,1rem) left-(--toasts-left,0) z-50 in-[body:has([data-dialog])]:inset-x-0 in-[body:has([data-dialog])]:top-1 in-[body:has([data-dialog])]:bottom-auto in-[body:has([data-suggestions])]:top-14 in-[body:has([data-suggestions])]:bottom-auto in-[body:has([data-overlay])]:inset-x-0 in-[body:has([data-overlay])]:bottom-4 in-[body:has([data-drop-target])]:invisible flex flex-col items-center gap-2"
    >
      {items.map((item) => (
        <div
          key={item.id}
          className="pointer-events-auto flex max-w-column items-center gap-2 rounded-card border border-line-strong bg-raised py-1 pr-1 pl-3 shadow-float animate-appear"
        >
          <span
            className="min-w-0 break-words"
            title={item.full === undefined ? undefined : withDirectionsShown(item.full)}
          >
            {withDirectionsShown(item.message)}
          </span>
          {item.action && (
            <Button
              size="sm"
              variant="ghost"
              className="text-accent!"
              onClick={() => {
                item.action?.run();
                onClose(item.id);
              }}
            >
              {item.action.label}
            </Button>
          )}
          <IconButton size="sm" label={words.close} onClick={() => onClose(item.id)} icon={<X size={14} />} />
        </div>
      ))}
    </div>
  );
};
