import type { QueuedMessage, Turn } from '@contract/conversation';
import type { KeyboardEvent } from 'react';

/** What a key in the composer can do. */
interface KeyActions {
  /** True where the key was for the list of suggestions. */
  suggest(key: string): boolean;
  send(when?: QueuedMessage['when']): void;
  /** Puts the focus on the last queued message. */
  toQueue(): void;
  /** One message back (1) or forward; false where there is none. */
  stepHistory(by: 1 | -1): boolean;
  /** Escape is pressed twice to stop. */
  escape(): void;
  stop(): void;
}

interface KeyState {
  phase: Turn['phase'];
  draft: string;
  hasQueue: boolean;
  /** ⌘ in place of Ctrl. */
  mac: boolean;
}

/** Does what a key in the composer means, if it means anything there. */
export function handleComposerKey(
  event: KeyboardEvent<HTMLTextAreaElement>,
  { phase, draft, hasQueue, mac }: KeyState,
  actions: KeyActions,
): void {
  // While an input method composes, its keys are its own. 229 is what some of them send for Enter.
  if (event.nativeEvent.isComposing || event.keyCode === 229) return;
  const active = phase === 'running' || phase === 'waiting';
  const isPlain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
  const isArrow = event.key === 'ArrowUp' || event.key === 'ArrowDown';
  if (isPlain && actions.suggest(event.key)) {
    event.preventDefault();
    event.stopPropagation();
  } else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
    // With nothing to send, Ctrl+Enter leads to the pending approval.
    if (phase === 'waiting' && !isPlain && draft === '') return;
    event.preventDefault();
    // A key that is held was pressed for something else, such as the decision that the focus came from.
    if (!event.repeat) actions.send();
  } else if (event.key === 'Enter' && event.altKey && !event.shiftKey && active) {
    event.preventDefault();
    actions.send('after_turn');
  } else if (event.key === 'ArrowUp' && draft === '' && hasQueue) {
    event.preventDefault();
    actions.toQueue();
  } else if (isArrow && isPlain) {
    if (actions.stepHistory(event.key === 'ArrowUp' ? 1 : -1)) event.preventDefault();
  } else if (event.key === 'Escape' && isPlain && active) {
    event.preventDefault();
    actions.escape();
  } else if (event.key === '.' && (mac ? event.metaKey : event.ctrlKey) && active) {
    event.preventDefault();
    actions.stop();
  }
}
