import { setNewest } from '@contract/shared/set-newest';
import { call } from '../link';
import type { DrawDiagram, Drawing } from '../ui';

/** Cached drawings, so that one scrolled back into view appears immediately. */
const MAX_KEPT = 40;
const kept = new Map<string, Drawing>();

/** The main process draws in a separate process and kills it if a source takes too long. */
export const drawDiagram: DrawDiagram = async (source, dark) => {
  const key = `${dark} ${source}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const drawn = await call('diagrams.draw', { source, dark });
  if (!drawn.ok) return drawn.error.kind === 'timeout' ? 'slow' : 'wrong';
  setNewest(kept, key, drawn.value, MAX_KEPT);
  return drawn.value;
};
