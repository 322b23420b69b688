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
  const read = reader(element);
  if (!read) return {};
  const colours = Object.entries(variables).map(([name, variable]) => {
    const [red, green, blue] = read(variable);
    return [name, `rgb(${red}, ${green}, ${blue})`] as const;
  });
  return Object.fromEntries(colours);
}

/** Colours of what is found, as the search takes them (#RRGGBB). */
export function findColoursOf(element: Element): { match: string; active: string } {
  const read = reader(element);
  const hex = (variable: string) => {
    const bytes = read?.(variable) ?? [128, 128, 128];
    return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  };
  return { match: hex('--accent-soft'), active: hex('--ask') };
}

/** Reads colours as bytes of red, green and blue. None where nothing can be drawn. */
function reader(element: Element): ((variable: string) => [number, number, number]) | undefined {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!context) return undefined;
  return (variable) => {
    // A variable is only words until something has it as its colour: which of two it is depends on the theme.
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

/** Calls `changed` when the window's theme, contrast, motion or text size does. Returns its undo. */
export function watchTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['data-theme', 'data-high-contrast', 'data-less-motion', 'style'],
  });
  return () => observer.disconnect();
}
