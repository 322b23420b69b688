import { z } from 'zod';
import { command, done } from '../command';

const Label = z.string().min(1).max(200);

const ActionId = z.string().regex(/^[A-Za-z]{1,64}$/);

/** Items that the system implements, with its default shortcuts. */
export const MenuRole = z.enum([
  'about',
  'services',
  'hide',
  'hideOthers',
  'unhide',
  'quit',
  'undo',
  'redo',
  'cut',
  'copy',
  'paste',
  'selectAll',
  'togglefullscreen',
  'minimize',
  'close',
  'front',
]);
export type MenuRole = z.infer<typeof MenuRole>;

export const MenuEntry = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('line') }),
  z.strictObject({ kind: z.literal('role'), role: MenuRole, label: Label }),
  z.strictObject({
    kind: z.literal('action'),
    /** Sent back as `run.action` when the item is chosen. */
    id: ActionId,
    label: Label,
    /** In Electron's notation, for display only: the window handles the keys. */
    keys: z.string().max(60).nullable(),
    enabled: z.boolean(),
    checked: z.boolean().optional(),
  }),
]);
export type MenuEntry = z.infer<typeof MenuEntry>;

/** The menu bar and the tray in the person's language, from the window's action registry. */
export const MenuModel = z.strictObject({
  menus: z.array(z.strictObject({ label: Label, entries: z.array(MenuEntry).max(60) })).max(12),
  /** Null: no tray icon. */
  tray: z
    .strictObject({ show: Label, newThread: Label, waiting: Label.nullable(), quit: Label, tooltip: Label })
    .nullable(),
  /** Labels for the context menu of a text field. */
  text: z.strictObject({
    undo: Label,
    redo: Label,
    cut: Label,
    copy: Label,
    paste: Label,
    selectAll: Label,
    learnWord: Label,
    noSuggestion: Label,
    openLink: Label,
    copyLink: Label,
  }),
});
export type MenuModel = z.infer<typeof MenuModel>;

/** The menu bar and the tray. */
export const menuCommands = {
  /** Replaces the menus. Chosen items go to the window that set them last. */
  'menu.set': command(MenuModel, done),
} as const;
