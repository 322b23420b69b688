import type { Page } from '@playwright/test';

/** The same in every language: names, abbreviations, keys, and literal input. */
const NAMES = [
  'Deepdesk|Anthropic|OpenAI|Google|Gemini|Ollama|LM Studio|DeepSeek|OpenRouter|Groq|Mistral|xAI|GPT|Claude',
  'English|Markdown|JSON|HTML|CSV|PDF|MCP|URL|API|MIT|CPU|DELETE|THIRD_PARTY\\.md|AGENTS\\.md|bubblewrap|Seatbelt|git|token',
  'Ctrl|Shift|Alt|Enter|Esc|Escape|Tab|Home|End|Del|Delete|Backspace|PageUp|PageDown|Space|F\\d+',
  'https?://\\S+|(?:/[\\w.@~-]+)+/?|[A-Z][A-Z0-9]*_[A-Z0-9_]+|[\\w-]+\\.(?:md|js|ts|json|txt|py|com|org|backup)|openai:\\S+|offline:\\S+',
  'sample-project|KB|MB|GB|MCP|docs/sandbox\\.md',
];

/**
 * Texts on the page, visible or for screen readers, that contain words in a script other than Chinese: visible texts, names
 * of parts, and tooltips. Excludes code, file names, the agent's answers, and `typed`.
 */
export async function latinTexts(page: Page, ...typed: readonly string[]): Promise<string[]> {
  const escaped = typed.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return page.evaluate(
    (names) => {
      const known = new RegExp(`(?<![A-Za-z])(?:${names})(?![A-Za-z])`, 'g');
      const isForeign = (text: string) => /[A-Za-z]{3,}/.test(text.replace(known, ''));
      const AS_IT_STANDS =
        'code, pre, kbd, script, style, textarea, [lang], .font-mono, .markdown, [role="tree"]';
      const found = new Set<string>();
      const isSeen = (element: Element) =>
        element.closest(AS_IT_STANDS) === null && element.checkVisibility({ visibilityProperty: true });
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const text = node.textContent?.trim() ?? '';
        const parent = node.parentElement;
        if (parent !== null && isForeign(text) && isSeen(parent)) found.add(text);
      }
      for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
        if (!isSeen(element)) continue;
        for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
          const text = element.getAttribute(name) ?? '';
          if (isForeign(text)) found.add(`${name}: ${text}`);
        }
      }
      return [...found];
    },
    [...escaped, ...NAMES].join('|'),
  );
}
