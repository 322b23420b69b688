/** Characters of scripts in which about every character is a token. */
const WIDE = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/gu;
/** Characters of other scripts in one token. */
export const CHARS_PER_TOKEN = 4;

/** Estimates the tokens of a text, without a model. */
export function tokensOfText(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return wide + Math.ceil((text.length - wide) / CHARS_PER_TOKEN);
}
