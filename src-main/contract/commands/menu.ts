import { z } from 'zod';
import { command, done } from '../command';

const Label = z.string().min(1).max(200);

const ActionId = z.string().regex(/^[A-Za-z]{1,64}$/);

/** What the system itself does with its own keys. */
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
    /** Sent back as `run.action` when it is chosen. */
    id: ActionId,
    label: Label,
    /** As Electron writes keys; shown only: the window listens itself. */
    keys: z.string().max(60).nullable(),
    enabled: z.boolean(),
    checked: z.boolean().optional(),
  }),
]);
export type MenuEntry = z.infer<typeof MenuEntry>;

/** The menu bar and the tray in the person's language, as the window's registry of actions has them. */
export const MenuModel = z.strictObject({
  menus: z.array(z.strictObject({ label: Label, entries: z.array(MenuEntry).max(60) })).max(12),
  /** Null: no icon in the tray. */
  tray: z
    .strictObject({ show: Label, newThread: Label, waiting: Label.nullable(), quit: Label, tooltip: Label })
    .nullable(),
  /** What the menu of a text field says. */
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
  /** In place of the menus there were; what is chosen in them comes back to the window that sent them last. */
  'menu.set': command(MenuModel, done),
} as const;
