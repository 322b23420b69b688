import type { Attachment } from '@contract/attachments';

/** The main process counts the same way: four characters per token, and one per token for each of these wide scripts. */
const WIDE = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/gu;
const CHARS_PER_TOKEN = 4;
/** Pixels per token of an image, and the tokens of the largest image that providers process. */
const PIXELS_PER_TOKEN = 750;
const MAX_PICTURE = 1_600;
/** Minimum tokens for the estimate to be shown. */
export const WORTH_SAYING = 200;

/** Estimates the tokens of a draft, without documents, audio and video, whose tokens are unknown. */
export function draftTokens(text: string, attached: readonly Attachment[]): number {
  const wide = text.match(WIDE)?.length ?? 0;
  const words = wide + Math.ceil((text.length - wide) / CHARS_PER_TOKEN);
  return attached.reduce((sum, one) => sum + tokensOf(one), words);
}

function tokensOf({ kind, length = 0, width = 0, height = 0 }: Attachment): number {
  if (kind === 'text') return Math.ceil(length / CHARS_PER_TOKEN);
  if (kind === 'image') return Math.min(MAX_PICTURE, Math.ceil((width * height) / PIXELS_PER_TOKEN));
  return 0;
}

/** Rounds to two significant digits. */
export function roundly(count: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return Math.round(count / step) * step;
}
