/** Milliseconds after a key press in which the next one is expected. */
const GOES_ON_FOR = 400;
/** Milliseconds after a key press in which no other one arrives. */
const BETWEEN_KEYS = 25;

let pressedAt = Number.NEGATIVE_INFINITY;
const waiting = new Set<() => void>();
let frame = 0;

function onKey(): void {
  pressedAt = performance.now();
  if (frame !== 0) return;
  // A separate task after the frame that draws the character.
  frame = requestAnimationFrame(() => {
    setTimeout(() => {
      frame = 0;
      const ready = [...waiting];
      waiting.clear();
      for (const run of ready) run();
    });
  });
}

// Before any other handler sees the key.
window.addEventListener('keydown', onKey, { capture: true, passive: true });

/**
 * Runs expensive rendering when it delays no key press: immediately if nobody types, otherwise right after the next
 * character is drawn, but within `patience` milliseconds. Returns its undo.
 */
export function betweenKeys(run: () => void, patience: number): () => void {
  const since = performance.now() - pressedAt;
  if (since > GOES_ON_FOR || (frame === 0 && since < BETWEEN_KEYS)) {
    run();
    return () => undefined;
  }
  const undo = () => {
    clearTimeout(late);
    waiting.delete(once);
  };
  const once = () => {
    undo();
    run();
  };
  const late = setTimeout(once, patience);
  waiting.add(once);
  return undo;
}
