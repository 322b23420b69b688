const literally = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A line with the matches of a search highlighted, ignoring case. */
export const FoundWords = ({ text, query }: { text: string; query: string }) => {
  const words = query.split(/\s+/u).filter(Boolean);
  if (words.length === 0) return text;
  const pattern = new RegExp(`(${words.map(literally).join('|')})`, 'giu');
  return text.split(pattern).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies a part
      <mark key={index} className="rounded-mark bg-ask-soft font-semibold text-fg">
        {part}
      </mark>
    ) : (
      part
    ),
  );
};
