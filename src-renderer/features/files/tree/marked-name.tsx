import type { ReactNode } from 'react';
import { LineName, NamePart } from '../../../ui';
import type { Match } from '../use-found';

/** The name of a matching file, then its folder, with the matching letters highlighted in both. */
export const MarkedName = ({ match }: { match: Match }) => {
  const cut = match.name.lastIndexOf('/') + 1;
  return (
    <span className="flex min-w-0 grow items-baseline gap-2">
      <span className="flex max-w-full shrink-0">
        <LineName name={match.name.slice(cut)} part={(begin, end) => marked(match, cut + begin, cut + end)} />
      </span>
      {cut > 0 && (
        <bdi dir="ltr" className="min-w-0 truncate text-small text-fg-3">
          {marked(match, 0, cut - 1)}
        </bdi>
      )}
    </span>
  );
};

/** `name` from `begin` to `end` with its matches highlighted. */
function marked({ name, ranges }: Match, begin: number, end: number): ReactNode[] {
  const pieces: ReactNode[] = [];
  let at = begin;
  for (let n = 0; n + 1 < ranges.length; n += 2) {
    const from = Math.max(at, ranges[n] ?? 0);
    const to = Math.min(end, ranges[n + 1] ?? 0);
    if (to <= from) continue;
    pieces.push(
      <NamePart key={`${at}-`} text={name.slice(at, from)} />,
      <b key={from} className="font-semibold text-accent">
        <NamePart text={name.slice(from, to)} />
      </b>,
    );
    at = to;
  }
  pieces.push(<NamePart key={`${at}-`} text={name.slice(at, end)} />);
  return pieces;
}
