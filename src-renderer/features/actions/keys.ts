import type { AppSnapshot } from '@contract/app';

export type Platform = AppSnapshot['platform'];

// Keys are written `mod+alt+shift+key`, in this order. `mod` is Ctrl, or ⌘ on macOS. `key` is in lower case, as the keyboard
// names it. A character that needs Shift on some keyboards is written without it.

interface Press {
  key: string;
  code?: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

const MODIFIERS = new Set(['control', 'meta', 'alt', 'shift', 'altgraph', 'capslock', 'dead', 'process']);
const isFunctionKey = (key: string) => /^f\d{1,2}$/.test(key);

/** The keys that were pressed; null while only modifiers are down, or if the system's own modifier is among them. */
export function pressed(event: Press, platform: Platform): string | null {
  const mac = platform === 'darwin';
  if (mac ? event.ctrlKey : event.metaKey) return null;
  let key = event.key.toLowerCase();
  if (MODIFIERS.has(key)) return null;
  // With a non-Latin keyboard, or Option on macOS, the position of the key tells which letter it is.
  if (key.length === 1 && (key.charCodeAt(0) > 0x7e || event.altKey) && event.code !== undefined) {
    const place = /^(?:Key|Digit)(.)$/.exec(event.code)?.[1];
    if (place !== undefined) key = place.toLowerCase();
  }
  if (key === '+') key = '=';
  if (key === '_') key = '-';
  if (key === ' ') key = 'space';
  const isSign = key.length === 1 && !/[a-z0-9]/.test(key);
  const mod = mac ? event.metaKey : event.ctrlKey;
  return [
    ...(mod ? ['mod'] : []),
    ...(event.altKey ? ['alt'] : []),
    ...(event.shiftKey && !isSign ? ['shift'] : []),
    key,
  ].join('+');
}

const NAMES: Record<string, string> = {
  pageup: 'PageUp',
  pagedown: 'PageDown',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  enter: 'Enter',
  space: 'Space',
  delete: 'Delete',
  backspace: 'Backspace',
  home: 'Home',
  end: 'End',
  insert: 'Insert',
  tab: 'Tab',
};
const nameOf = (key: string) => NAMES[key] ?? key.toUpperCase();

function parts(keys: string): { mod: boolean; alt: boolean; shift: boolean; key: string } {
  const all = keys.split('+');
  const key = all.at(-1) ?? '';
  return { mod: all.includes('mod'), alt: all.includes('alt'), shift: all.includes('shift'), key };
}

/** Keys as each system writes them: "Ctrl+Shift+N", "⇧⌘N". */
export function shown(platform: Platform, keys: string): string {
  const { mod, alt, shift, key } = parts(keys);
  if (platform === 'darwin') return `${alt ? '⌥' : ''}${shift ? '⇧' : ''}${mod ? '⌘' : ''}${nameOf(key)}`;
  return [...(mod ? ['Ctrl'] : []), ...(alt ? ['Alt'] : []), ...(shift ? ['Shift'] : []), nameOf(key)].join(
    '+',
  );
}

const ACCELERATORS: Record<string, string> = {
  arrowup: 'Up',
  arrowdown: 'Down',
  arrowleft: 'Left',
  arrowright: 'Right',
  enter: 'Return',
};

/** Keys as Electron's menus write them; null if menus cannot express them. */
export function accelerator(keys: string): string | null {
  const { mod, alt, shift, key } = parts(keys);
  const name = ACCELERATORS[key] ?? nameOf(key);
  if (!/^[\x21-\x7e]+$/.test(name)) return null;
  return [
    ...(mod ? ['CommandOrControl'] : []),
    ...(alt ? ['Alt'] : []),
    ...(shift ? ['Shift'] : []),
    name,
  ].join('+');
}

/** Keys that text fields, lists, the decision card or the system use. */
const TAKEN = new Set([
  'mod+c',
  'mod+v',
  'mod+x',
  'mod+z',
  'mod+a',
  'mod+y',
  'mod+shift+z',
  'mod+s',
  'mod+g',
  'mod+w',
  'mod+q',
  'mod+enter',
  'mod+shift+c',
  'mod+shift+v',
  'alt+f4',
  'mod+backspace',
  'mod+delete',
  'mod+arrowleft',
  'mod+arrowright',
  'mod+arrowup',
  'mod+arrowdown',
  'mod+home',
  'mod+end',
]);

/** Why keys cannot be assigned to an action: they would type text, or something that no action can change uses them. */
export function unfit(keys: string): 'writes' | 'taken' | null {
  const { mod, alt, key } = parts(keys);
  if (TAKEN.has(keys)) return 'taken';
  if (isFunctionKey(key) || mod || (alt && key.length > 0)) return null;
  return 'writes';
}
