const OPEN = '<think>';
const CLOSE = '</think>';

export interface SplitText {
  reasoning: string;
  content: string;
}

/**
 * Separates the reasoning from an answer that starts with `<think>…</think>`, as many local servers stream it. Text that may
 * turn out to be a part of a tag is held back until the next piece.
 */
export class ThinkingTags {
  private place: 'start' | 'inside' | 'after' | 'answer' = 'start';
  private held = '';

  /** What the next piece of the answer's text adds to each. */
  take(piece: string): SplitText {
    if (this.place === 'answer') return { reasoning: '', content: piece };
    let text = this.held + piece;
    this.held = '';
    if (this.place === 'start') {
      const begun = text.trimStart();
      if (begun.length < OPEN.length && OPEN.startsWith(begun)) return this.hold(text);
      if (!begun.startsWith(OPEN)) return this.answer(text);
      this.place = 'inside';
      text = begun.slice(OPEN.length);
    }
    let reasoning = '';
    if (this.place === 'inside') {
      const end = text.indexOf(CLOSE);
      if (end === -1) {
        const kept = lengthOfBegunTag(text);
        this.held = text.slice(text.length - kept);
        return { reasoning: text.slice(0, text.length - kept), content: '' };
      }
      reasoning = text.slice(0, end);
      text = text.slice(end + CLOSE.length);
      this.place = 'after';
    }
    const content = text.trimStart();
    return content === '' ? { reasoning, content } : { ...this.answer(content), reasoning };
  }

  /** What was held back when the answer ended. */
  end(): SplitText {
    const text = this.held;
    this.held = '';
    return this.place === 'inside' ? { reasoning: text, content: '' } : { reasoning: '', content: text };
  }

  private hold(text: string): SplitText {
    this.held = text;
    return { reasoning: '', content: '' };
  }

  private answer(content: string): SplitText {
    this.place = 'answer';
    return { reasoning: '', content };
  }
}

/** How many characters at the end of the text may be the start of the closing tag. */
function lengthOfBegunTag(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(CLOSE.slice(0, length))) return length;
  }
  return 0;
}
