import { describe, expect, it } from 'vitest';
import { accelerator, pressed, shown, unfit } from './keys';
import { actionIds, actions, actionWith, keysOfAction } from './registry';

const press = (key: string, more: Partial<KeyboardEvent> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});

describe('keys', () => {
  it.each([
    ['linux', press('N', { ctrlKey: true, shiftKey: true }), 'mod+shift+n'],
    ['darwin', press('n', { metaKey: true }), 'mod+n'],
    ['darwin', press('n', { ctrlKey: true }), null],
    ['linux', press('n', { metaKey: true }), null],
    ['linux', press('Control', { ctrlKey: true }), null],
    ['linux', press('+', { ctrlKey: true, shiftKey: true }), 'mod+='],
    ['linux', press('_', { ctrlKey: true, shiftKey: true }), 'mod+-'],
    ['linux', press('F6', { shiftKey: true }), 'shift+f6'],
    ['linux', press('PageDown', { ctrlKey: true }), 'mod+pagedown'],
    ['linux', press('н', { ctrlKey: true, code: 'KeyY' }), 'mod+y'],
    ['darwin', press('†', { metaKey: true, altKey: true, code: 'KeyT' }), 'mod+alt+t'],
  ] as const)('on %s %o are %s', (platform, event, keys) => {
    expect(pressed(event, platform)).toBe(keys);
  });

  it('formats keys as each system writes them, and as menus do', () => {
    expect([shown('linux', 'mod+shift+d'), shown('darwin', 'mod+shift+d'), shown('win32', 'f6')]).toEqual([
      'Ctrl+Shift+D',
      '⇧⌘D',
      'F6',
    ]);
    expect([accelerator('mod+shift+d'), accelerator('mod+arrowup'), accelerator('mod+ü')]).toEqual([
      'CommandOrControl+Shift+D',
      'CommandOrControl+Up',
      null,
    ]);
  });

  it('refuses keys that would type text or belong to text fields', () => {
    expect([
      unfit('a'),
      unfit('shift+a'),
      unfit('mod+c'),
      unfit('mod+e'),
      unfit('f9'),
      unfit('alt+e'),
    ]).toEqual(['writes', 'writes', 'taken', null, null, null]);
  });
});

describe('the registry', () => {
  it('assigns no keys twice, and only keys that can be chosen', () => {
    const keys = actionIds.flatMap((id) => actions[id].keys ?? []);
    expect(keys.filter((one, index) => keys.indexOf(one) !== index)).toEqual([]);
    expect(keys.filter((one) => unfit(one) !== null)).toEqual([]);
  });

  it('uses the keys that the user chose', () => {
    const chosen = { newThread: null, inbox: 'mod+n' };
    expect(keysOfAction('newThread', chosen)).toBe(null);
    expect(actionWith('mod+n', chosen)).toBe('inbox');
    expect(actionWith('mod+n', chosen, 'inbox')).toBe(undefined);
  });
});
