import type { ProjectId } from '@contract/ids';
import { useRef, useState } from 'react';
import { type HistoryPlace, readHistory, stepInHistory } from './sent-history';

const START: HistoryPlace = { at: -1, text: '' };

/** What the person said before, by the arrow keys in an empty composer. */
export function useSentHistory(
  projectId: ProjectId,
  /** The last message of the thread, which comes first wherever it was written. */
  lastMessage: string | undefined,
  draft: string,
  write: (text: string, caret: number) => void,
) {
  const [place, setPlace] = useState(START);
  const said = useRef<string[]>([]);
  return {
    /** One looks at a message of before. */
    isIn: place.at >= 0 && draft === place.text,
    begin: () => setPlace(START),
    /** One further back (1) or forward; false where the key means something else. */
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
