import type { ITheme } from '@xterm/xterm';

/** Which of the app's colours each of the terminal's is. */
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

/** The terminal's colours in the theme that `element` is shown in, as xterm.js can read them (sRGB, opaque). */
export function themeOf(element: Element): ITheme {
  const style = getComputedStyle(element);
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!context) return {};
  const colours = Object.entries(variables).map(([name, variable]) => {
    context.fillStyle = style.getPropertyValue(variable).trim();
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return [name, `rgb(${red}, ${green}, ${blue})`] as const;
  });
  return Object.fromEntries(colours);
}

/** Colours of what is found, as the search takes them (#RRGGBB). */
export function findColoursOf(element: Element): { match: string; active: string } {
  const style = getComputedStyle(element);
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const hex = (variable: string) => {
    if (!context) return '#808080';
    context.fillStyle = style.getPropertyValue(variable).trim();
    context.fillRect(0, 0, 1, 1);
    const bytes = [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
    return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  };
  return { match: hex('--accent-soft'), active: hex('--ask') };
}

/** Calls `changed` when the window's theme or contrast does. Returns its undo. */
export function watchTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['data-theme', 'data-high-contrast', 'style'],
  });
  const contrast = matchMedia('(prefers-contrast: more)');
  contrast.addEventListener('change', changed);
  return () => {
    observer.disconnect();
    contrast.removeEventListener('change', changed);
  };
}
