import type { Attachment } from '@contract/attachments';
import { CHARS_PER_TOKEN, tokensOfText } from '@contract/shared/tokens-of-text';

/** Pixels per token of an image, and the tokens of the largest image that providers process. */
const PIXELS_PER_TOKEN = 750;
const MAX_PICTURE = 1_600;
/** Minimum tokens for the estimate to be shown. */
export const WORTH_SAYING = 200;

/** Estimates the tokens of a draft, without documents, audio and video, whose tokens are unknown. */
export function draftTokens(text: string, attached: readonly Attachment[]): number {
  return attached.reduce((sum, one) => sum + tokensOf(one), tokensOfText(text));
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
