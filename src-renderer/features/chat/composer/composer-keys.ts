import { isActivePhase } from '@contract/active-phase';
import type { QueuedMessage, Turn } from '@contract/conversation';
import type { KeyboardEvent } from 'react';

interface KeyActions {
  /** True if the suggestion list handled the key. */
  suggest(key: string): boolean;
  send(when?: QueuedMessage['when']): void;
  /** Focuses the last queued message. */
  toQueue(): void;
  /** One message back (1) or forward; false if there is none. */
  stepHistory(by: 1 | -1): boolean;
  /** Escape must be pressed twice to stop. */
  escape(): void;
  stop(): void;
}

interface KeyState {
  phase: Turn['phase'];
  draft: string;
  hasQueue: boolean;
  /** Uses ⌘ instead of Ctrl. */
  mac: boolean;
}

/** Handles a key in the composer if it has a meaning there. */
export function handleComposerKey(
  event: KeyboardEvent<HTMLTextAreaElement>,
  { phase, draft, hasQueue, mac }: KeyState,
  actions: KeyActions,
): void {
  // During composition, the input method handles the keys. Some input methods send 229 for Enter.
  if (event.nativeEvent.isComposing || event.keyCode === 229) return;
  const active = isActivePhase(phase);
  const isPlain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
  const isArrow = event.key === 'ArrowUp' || event.key === 'ArrowDown';
  // A held key was pressed for something else, such as the decision that moved the focus here.
  const isHeld = event.repeat && event.key === 'Enter';
  if (isPlain && !isHeld && actions.suggest(event.key)) {
    event.preventDefault();
    event.stopPropagation();
  } else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
    // With nothing to send, Ctrl+Enter goes to the pending approval.
    if (phase === 'waiting' && !isPlain && draft === '') return;
    event.preventDefault();
    if (!isHeld) actions.send();
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
