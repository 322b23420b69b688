import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';

export const STEP = 1.25;
const SMALLEST = 0.02;
const LARGEST = 64;

/** The zoom of an image, by buttons, keys or Ctrl and the wheel. `size`: the image's own size, once known. */
export function useZoom(size: { width: number; height: number } | undefined) {
  /** Null: fitted, but no larger than the original size. */
  const [zoom, setZoom] = useState<number | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLImageElement>(null);
  /** The fixed point of a zoom: a position on the screen, and the part of the image there. */
  const held = useRef<{ x: number; y: number; across: number; down: number }>(undefined);
  const shown = () => {
    const room = box.current;
    if (zoom !== null || size === undefined || room === null) return zoom ?? 1;
    return Math.min(1, (room.clientWidth - 32) / size.width, (room.clientHeight - 32) / size.height);
  };
  const hold = (x: number, y: number) => {
    const now = picture.current?.getBoundingClientRect();
    if (now === undefined || now.width === 0 || now.height === 0) return;
    held.current = { x, y, across: (x - now.left) / now.width, down: (y - now.top) / now.height };
  };
  /** Zooms around a position on the screen, or the middle of the visible area. */
  const by = (factor: number, at?: { clientX: number; clientY: number }) => {
    const room = box.current?.getBoundingClientRect();
    if (room !== undefined)
      hold(at?.clientX ?? room.left + room.width / 2, at?.clientY ?? room.top + room.height / 2);
    setZoom(Math.max(SMALLEST, Math.min(LARGEST, shown() * factor)));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each zoom
  useLayoutEffect(() => {
    const [room, now, kept] = [box.current, picture.current?.getBoundingClientRect(), held.current];
    held.current = undefined;
    if (room === null || now === undefined || kept === undefined) return;
    room.scrollLeft += now.left + kept.across * now.width - kept.x;
    room.scrollTop += now.top + kept.down * now.height - kept.y;
  }, [zoom]);
  const latest = useRef(by);
  latest.current = by;
  useEffect(() => {
    const room = box.current;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      latest.current(event.deltaY < 0 ? STEP : 1 / STEP, event);
    };
    // React's wheel listeners are passive, so they cannot prevent the default.
    room?.addEventListener('wheel', onWheel, { passive: false });
    return () => room?.removeEventListener('wheel', onWheel);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === '+' || event.key === '=') by(STEP);
    else if (event.key === '-') by(1 / STEP);
    else if (event.key === '0') setZoom(null);
    else if (event.key === '1') setZoom(1);
    else return;
    event.preventDefault();
  };
  return { box, picture, zoom, setZoom, by, hold, onKeyDown };
}
