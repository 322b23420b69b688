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
  const read = reader(element);
  if (!read) return {};
  const colors = Object.entries(variables).map(([name, variable]) => {
    const [red, green, blue] = read(variable);
    return [name, `rgb(${red}, ${green}, ${blue})`] as const;
  });
  return Object.fromEntries(colors);
}

/** Colors of search matches, in the format of the search addon (#RRGGBB). */
export function findColorsOf(element: Element): { match: string; active: string } {
  const read = reader(element);
  const hex = (variable: string) => {
    const bytes = read?.(variable) ?? [128, 128, 128];
    return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  };
  return { match: hex('--accent-soft'), active: hex('--ask') };
}

/** Reads colors as bytes of red, green and blue. Undefined if nothing can be drawn. */
function reader(element: Element): ((variable: string) => [number, number, number]) | undefined {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!context) return undefined;
  return (variable) => {
    // A variable is only text until an element uses it as its color; the theme decides which of two values applies.
    const probe = document.createElement('span');
    probe.style.color = `var(${variable})`;
    element.append(probe);
    context.fillStyle = getComputedStyle(probe).color;
    probe.remove();
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return [red, green, blue];
  };
}

/** Calls `changed` when the window's theme, contrast, motion or text size changes. Returns the unsubscribe function. */
export function watchTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['data-theme', 'data-high-contrast', 'data-less-motion', 'style'],
  });
  return () => observer.disconnect();
}
