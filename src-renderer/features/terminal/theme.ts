import type { ITheme } from '@xterm/xterm';

/** The app's color for each terminal color. */
const variables: Partial<Record<keyof ITheme, string>> = {
  background: '--bg-sunken',
  foreground: '--text',
  cursor: '--accent',
  cursorAccent: '--bg-sunken',
  selectionBackground: '--line-strong',
  selectionInactiveBackground: '--line',
  scrollbarSliderBackground: '--line-strong',
  scrollbarSliderHoverBackground: '--text-3',
  scrollbarSliderActiveBackground: '--text-3',
  black: '--ansi-black',
  red: '--ansi-red',
  green: '--ansi-green',
  yellow: '--ansi-yellow',
  blue: '--ansi-blue',
  magenta: '--ansi-magenta',
  cyan: '--ansi-cyan',
  white: '--ansi-white',
  brightBlack: '--ansi-bright-black',
  brightRed: '--ansi-bright-red',
  brightGreen: '--ansi-bright-green',
  brightYellow: '--ansi-bright-yellow',
  brightBlue: '--ansi-bright-blue',
  brightMagenta: '--ansi-bright-magenta',
  brightCyan: '--ansi-bright-cyan',
  brightWhite: '--ansi-bright-white',
};

/** The terminal colors in the theme of `element`, in a format that xterm.js can read (sRGB, opaque). */
export function themeOf(element: Element): ITheme {
  const colors = bytesOf(Object.values(variables), element);
  if (!colors) return {};
  return Object.fromEntries(
    Object.keys(variables).map((name, at) => [name, `rgb(${colors[at]?.join(', ')})`] as const),
  );
}

/** Colors of search matches, in the format of the search addon (#RRGGBB). */
export function findColorsOf(element: Element): { match: string; active: string } {
  const [match, active] = bytesOf(['--accent-soft', '--ask'], element) ?? [];
  const hex = (bytes = [128, 128, 128]) =>
    `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  return { match: hex(match), active: hex(active) };
}

/** The colors of variables as bytes of red, green and blue. Undefined if nothing can be drawn. */
function bytesOf(names: readonly string[], element: Element): number[][] | undefined {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!context) return undefined;
  // A variable is only text until an element uses it as its color; the theme decides which of two values applies. All of them are
  // added before the first is read, so that the styles of the page are calculated once.
  const probes = document.createElement('span');
  for (const name of names) {
    const probe = document.createElement('span');
    probe.style.color = `var(${name})`;
    probes.append(probe);
  }
  element.append(probes);
  for (const [at, probe] of [...probes.children].entries()) {
    context.fillStyle = getComputedStyle(probe).color;
    context.fillRect(at, 0, 1, 1);
  }
  probes.remove();
  const { data } = context.getImageData(0, 0, names.length, 1);
  return names.map((_, at) => [...data.slice(4 * at, 4 * at + 3)]);
}

/** What the window sets on <html> for its theme, contrast, motion and text size. */
function appearance(): string {
  const { dataset, style } = document.documentElement;
  const { theme, highContrast, lessMotion } = dataset;
  return JSON.stringify([theme, highContrast, lessMotion, style.getPropertyValue('--font-scale')]);
}

/** Calls `changed` when the window's theme, contrast, motion or text size changes. Returns the unsubscribe function. */
export function watchTheme(changed: () => void): () => void {
  let before = appearance();
  const observer = new MutationObserver(() => {
    const now = appearance();
    if (now === before) return;
    before = now;
    changed();
  });
  observer.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['data-theme', 'data-high-contrast', 'data-less-motion', 'style'],
  });
  return () => observer.disconnect();
}
