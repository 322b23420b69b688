/** A text as code of Markdown, on one line. */
export const code = (text: string) => `\`${text.replaceAll('`', "'").replace(/\s*\n\s*/g, ' ⏎ ')}\``;

/** A text for a sentence, cut if it is long. */
export const cut = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
