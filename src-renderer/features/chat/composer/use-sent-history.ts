import type { ProjectId } from '@contract/ids';
import { useRef, useState } from 'react';
import { type HistoryPlace, readHistory, stepInHistory } from './sent-history';

const START: HistoryPlace = { at: -1, text: '' };

/** Browses the person's earlier messages with the arrow keys in an empty composer. */
export function useSentHistory(
  projectId: ProjectId,
  /** The last message of the thread, which comes first even if it was written elsewhere. */
  lastMessage: string | undefined,
  draft: string,
  write: (text: string, caret: number) => void,
) {
  const [place, setPlace] = useState(START);
  const said = useRef<string[]>([]);
  return {
    /** An earlier message is currently shown. */
    isIn: place.at >= 0 && draft === place.text,
    begin: () => setPlace(START),
    /** One message back (1) or forward; false if the key means something else. */
    step: (by: 1 | -1): boolean => {
      const from = draft === '' ? START : place;
      if (from.at === -1) {
        if (by === -1) return false;
        const kept = readHistory(projectId);
        said.current = [
          ...(lastMessage === undefined || lastMessage === '' ? [] : [lastMessage]),
          ...kept.filter((one) => one !== lastMessage),
        ];
      }
      const next = stepInHistory(said.current, from, draft, by);
      if (next === undefined) return false;
      setPlace(next);
      write(next.text, next.text.length);
      return true;
    },
  };
}
