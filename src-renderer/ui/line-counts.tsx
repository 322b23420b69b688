import { counted, useWords } from './words';

/** How many lines a change adds and removes. */
export const LineCounts = ({ added, removed }: { added: number; removed: number }) => {
  const words = useWords();
  return (
    <span className="inline-flex shrink-0 gap-1.5 font-mono text-small tabular-nums">
      <span className="text-ok">
        <span aria-hidden>+{added}</span>
        <span className="sr-only">{counted(words.linesAdded, added)}</span>
      </span>
      <span className="text-deny">
        <span aria-hidden>−{removed}</span>
        <span className="sr-only">{counted(words.linesRemoved, removed)}</span>
      </span>
    </span>
  );
};
