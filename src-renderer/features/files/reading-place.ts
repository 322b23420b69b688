import { useState } from 'react';
import type { Place } from './viewers/place';

/** More files than a person goes back to; the one left longest ago is forgotten first. */
const MAX_FILES = 200;

/** A line (0-based). Each request is an object of its own. */
interface Target {
  line: number;
}

/** The first visible line (0-based) of a file, and the target that it was opened at, if any. */
interface ReadingPlace {
  line: number;
  target: Target | undefined;
}

/** Where each file was left, by project and path, until the window closes. */
const left = new Map<string, ReadingPlace>();

/** Opens every file at its start again. For tests. */
export const forgetReadingPlaces = (): void => left.clear();

/**
 * Where the text of a file is scrolled to: the target, or else the line where the person left the file. `reached` holds the
 * targets that were scrolled to; the target that the person has already left is one of them.
 */
export function useReadingPlace(place: Place | undefined, goTo: Target | undefined) {
  const key = place === undefined ? undefined : `${place.projectId} ${place.path}`;
  const [{ back, reached }] = useState(() => {
    const before = key === undefined ? undefined : left.get(key);
    const reached = new WeakSet<object>();
    if (before === undefined || (goTo !== undefined && goTo !== before.target))
      return { back: undefined, reached };
    if (goTo !== undefined) reached.add(goTo);
    return { back: { line: before.line }, reached };
  });
  const target = goTo !== undefined && !reached.has(goTo) ? goTo : back;
  return {
    target,
    reached,
    /** A file that is shown again continues at its first line, as it was left. */
    align: target === goTo ? ('center' as const) : ('start' as const),
    /** Remembers the first visible line, unless it is still being scrolled to. */
    keep: (line: number) => {
      if (key === undefined || (target !== undefined && !reached.has(target))) return;
      left.delete(key);
      left.set(key, { line, target: goTo });
      const [oldest] = left.keys();
      if (left.size > MAX_FILES && oldest !== undefined) left.delete(oldest);
    },
  };
}
