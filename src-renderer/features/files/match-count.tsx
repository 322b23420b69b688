import { useT } from '../../i18n';
import type { Found } from './use-found';

/** How many of the folder's files match the query, and whether only the best of them are listed. */
export const MatchCount = ({ found, isTyped }: { found: Found; isTyped: boolean }) => {
  const t = useT();
  const { matches, total, files, listing } = found;
  if (listing) return t('files.listing', { count: files });
  if (!isTyped) return t('files.count', { count: files });
  const all = t('files.matching', { found: total, count: files });
  return matches.length < total ? `${all} · ${t('files.best', { count: matches.length })}` : all;
};
