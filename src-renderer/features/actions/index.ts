export { ActionIcon } from './action-icon';
export { type Platform, pressed, shown } from './keys';
export { menuModel } from './menus';
export { otherWords } from './other-words';
export { Palette, type PaletteItem } from './palette';
export { type ActionId, actionIds, actionWith, isAction, keysOfAction, type Runs } from './registry';
export { ShortcutsSection } from './shortcuts-section';
