import { isApplying, LayerChanged, type Manifest } from '../../../harness/sandbox/rehearsal';

/**
 * Why a keep failed before anything was in the folder: null if the layer has changed since its command ended, or the code of a
 * system error, as on a full disk. Throws all other errors.
 */
export async function whyNotKept(error: unknown, { place }: Pick<Manifest, 'place'>): Promise<string | null> {
  if (error instanceof LayerChanged) return null;
  const { code } = error as NodeJS.ErrnoException;
  if (!isSystemCode(code) || (await isApplying(place))) throw error;
  return code;
}

const isSystemCode = (code: unknown): code is string => typeof code === 'string' && /^E[A-Z0-9]+$/.test(code);
