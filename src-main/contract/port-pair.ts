import type { Port } from './rpc';

/** Two connected ports in memory. Messages are cloned, as in a real port. */
export function portPair(): [Port, Port] {
  const make = () => ({ receivers: new Set<(m: unknown) => void>(), closers: new Set<() => void>() });
  const sides = [make(), make()] as const;
  const port = (mine: (typeof sides)[number], theirs: (typeof sides)[number]): Port => ({
    post: (message) => {
      const copy: unknown = structuredClone(message);
      queueMicrotask(() => {
        for (const receive of theirs.receivers) receive(copy);
      });
    },
    listen: (receive) => {
      mine.receivers.add(receive);
      return () => mine.receivers.delete(receive);
    },
    onClose: (closed) => {
      mine.closers.add(closed);
      return () => mine.closers.delete(closed);
    },
  });
  return [port(sides[0], sides[1]), port(sides[1], sides[0])];
}
