import {
  app,
  type BrowserWindow,
  clipboard,
  Menu,
  type MenuItemConstructorOptions,
  nativeImage,
  Tray,
  type WebContents,
} from 'electron';
import type { NativeText } from '../../src-renderer/i18n/native';
import type { MenuEntry, MenuModel } from '../contract/commands/menu';
import { addressOf, isMail, isWeb } from './outside';

type Item = MenuItemConstructorOptions;

/** Converts an entry for Electron. Keys are only displayed: the renderer handles them because it knows what has focus. */
function itemOf(entry: MenuEntry, run: (actionId: string) => void): Item {
  switch (entry.kind) {
    case 'line':
      return { type: 'separator' };
    case 'role':
      return { role: entry.role, label: entry.label };
    case 'action':
      return {
        id: entry.id,
        label: entry.label,
        enabled: entry.enabled,
        ...(entry.keys === null ? {} : { accelerator: entry.keys, registerAccelerator: false }),
        ...(entry.checked === undefined ? {} : { type: 'checkbox' as const, checked: entry.checked }),
        click: () => run(entry.id),
      };
    default:
      return entry satisfies never;
  }
}

/** The menu until a window has sent its own: the standard entries, so that their keys work. */
function firstMenu(words: NativeText): Menu {
  const mac = process.platform === 'darwin';
  return Menu.buildFromTemplate([
    // The system provides its entries.
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    {
      label: words('edit'),
      submenu: [
        { role: 'undo', label: words('undo') },
        { role: 'redo', label: words('redo') },
        { type: 'separator' },
        { role: 'cut', label: words('cut') },
        { role: 'copy', label: words('copy') },
        { role: 'paste', label: words('paste') },
        { role: 'selectAll', label: words('selectAll') },
      ],
    },
    ...(mac ? [{ role: 'windowMenu', label: words('window') } as const] : []),
  ]);
}

/** Milliseconds before menus are rebuilt. Rebuilding takes time, and changes often come while a message is being sent. */
const SETTLE = 250;

export interface Menus {
  set(model: MenuModel, run: (actionId: string) => void): void;
  /** Adds the context menu for text fields and links to the window. */
  watch(window: BrowserWindow): void;
}

/** The menu bar, the tray menu and the text context menu, as the last active window set them. */
export function openMenus(options: {
  /** Icon of the tray. */
  icon: string;
  words: () => NativeText;
  showWindow: () => void;
  /** Asks the person before it opens a URL outside the app. */
  openExternal: (url: URL) => Promise<boolean>;
  report: (where: string, error: unknown) => void;
}): Menus {
  Menu.setApplicationMenu(firstMenu(options.words()));
  let model: MenuModel | undefined;
  let tray: Tray | null = null;

  const showTray = (words: MenuModel['tray'], run: (actionId: string) => void) => {
    if (words === null) {
      tray?.destroy();
      tray = null;
      return;
    }
    if (tray === null) {
      const size = process.platform === 'darwin' ? 18 : 22;
      tray = new Tray(nativeImage.createFromPath(options.icon).resize({ width: size, height: size }));
      tray.on('click', options.showWindow);
    }
    const then = (id: string) => () => {
      options.showWindow();
      run(id);
    };
    tray.setToolTip(words.tooltip);
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { id: 'show', label: words.show, click: options.showWindow },
        { id: 'newThread', label: words.newThread, click: then('newThread') },
        ...(words.waiting === null
          ? []
          : [{ id: 'inbox', label: words.waiting, click: then('inbox') } satisfies Item]),
        { type: 'separator' },
        { id: 'quit', label: words.quit, click: () => app.quit() },
      ]),
    );
  };

  let shown: MenuModel | undefined;
  let isComing = false;
  /** Runs an action in the last active window. */
  let runs: (actionId: string) => void = () => undefined;
  const run = (actionId: string) => runs(actionId);
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

  const show = (next: MenuModel) => {
    const before = shown;
    shown = next;
    if (!isSame(before?.menus, next.menus)) {
      const menu = next.menus.map(
        ({ label, entries }): Item => ({ label, submenu: entries.map((entry) => itemOf(entry, run)) }),
      );
      Menu.setApplicationMenu(Menu.buildFromTemplate(menu));
    }
    if (isSame(before?.tray, next.tray)) return;
    try {
      showTray(next.tray, run);
    } catch (error) {
      // Some desktops have no tray; the window is enough.
      options.report('tray', error);
    }
  };

  return {
    set: (next, runNext) => {
      runs = runNext;
      const isFirst = model === undefined;
      model = next;
      // Show the first menus immediately: until then the app has none.
      if (isFirst) show(next);
      if (isFirst || isComing) return;
      isComing = true;
      setTimeout(() => {
        isComing = false;
        if (model !== undefined) show(model);
      }, SETTLE);
    },
    watch: (window) => {
      const { webContents } = window;
      webContents.on('context-menu', (_event, params) => {
        const items = model === undefined ? [] : textItems(params, model.text, webContents, options);
        if (items.length > 0) Menu.buildFromTemplate(items).popup({ window });
      });
    },
  };
}

type TextParams = Pick<
  Electron.ContextMenuParams,
  'isEditable' | 'editFlags' | 'selectionText' | 'linkURL' | 'misspelledWord' | 'dictionarySuggestions'
>;

/** Entries for the clicked text or link; empty if there is neither. */
function textItems(
  params: TextParams,
  words: MenuModel['text'],
  contents: Pick<WebContents, 'replaceMisspelling' | 'session'>,
  options: { openExternal: (url: URL) => Promise<boolean>; report: (where: string, error: unknown) => void },
): Item[] {
  const link = addressOf(params.linkURL);
  const isLink = link !== null && (isWeb(link) || isMail(link));
  const linkItems: Item[] = isLink
    ? [
        {
          label: words.openLink,
          click: () =>
            void options.openExternal(link).catch((error: unknown) => options.report('link', error)),
        },
        { label: words.copyLink, click: () => clipboard.writeText(link.href) },
      ]
    : [];
  const { editFlags: can } = params;
  const spelling: Item[] =
    params.isEditable && params.misspelledWord !== ''
      ? [
          ...(params.dictionarySuggestions.length === 0
            ? [{ label: words.noSuggestion, enabled: false }]
            : params.dictionarySuggestions.map((word) => ({
                label: word,
                click: () => contents.replaceMisspelling(word),
              }))),
          {
            label: words.learnWord,
            click: () => contents.session.addWordToSpellCheckerDictionary(params.misspelledWord),
          },
        ]
      : [];
  const text: Item[] = params.isEditable
    ? [
        { role: 'undo', label: words.undo, enabled: can.canUndo },
        { role: 'redo', label: words.redo, enabled: can.canRedo },
        { type: 'separator' },
        { role: 'cut', label: words.cut, enabled: can.canCut },
        { role: 'copy', label: words.copy, enabled: can.canCopy },
        { role: 'paste', label: words.paste, enabled: can.canPaste },
        { type: 'separator' },
        { role: 'selectAll', label: words.selectAll, enabled: can.canSelectAll },
      ]
    : params.selectionText.trim() === ''
      ? []
      : [{ role: 'copy', label: words.copy }];
  return [linkItems, spelling, text]
    .filter((group) => group.length > 0)
    .flatMap((group, index): Item[] => (index === 0 ? group : [{ type: 'separator' }, ...group]));
}
