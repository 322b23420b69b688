import type { MenuEntry, MenuModel, MenuRole } from '@contract/commands/menu';
import { optional } from '@contract/shared/optional';
import type { Key, Translate } from '../../i18n';
import { accelerator, type Platform } from './keys';
import {
  type ActionGroup,
  type ActionId,
  actionIds,
  actions,
  type ChosenKeys,
  keysOfAction,
  type Runs,
} from './registry';

type Line = { kind: 'line' };
const LINE: Line = { kind: 'line' };

interface Options {
  platform: Platform;
  t: Translate;
  runs: Runs;
  chosen: ChosenKeys;
  tray: boolean;
  /** The number of pending decisions. */
  waiting: number;
}

/** What the system does in text fields, before the actions of the Edit menu. */
const EDIT_ROLES = ['undo', 'redo', 'line', 'cut', 'copy', 'paste', 'selectAll', 'line'] as const;

/** The menu bar, the tray and the text field menu for the current state of this window. */
export function menuModel({ platform, t, runs, chosen, tray, waiting }: Options): MenuModel {
  const mac = platform === 'darwin';
  const role = (name: MenuRole, key: Key & `menu.${string}`): MenuEntry => ({
    kind: 'role',
    role: name,
    // None of these keys has a placeholder.
    label: t(key as 'menu.quit'),
  });
  const action = (id: ActionId): MenuEntry => {
    const keys = keysOfAction(id, chosen);
    const { when, checked } = runs[id];
    return {
      kind: 'action',
      id,
      label: t(`actions.${id}`),
      keys: keys === null ? null : accelerator(keys),
      enabled: when,
      ...optional({ checked }),
    };
  };
  const group = (name: ActionGroup, leave: readonly ActionId[] = []): MenuEntry[] =>
    actionIds
      .filter((id) => actions[id].group === name && !leave.includes(id))
      .flatMap((id, index) => [...(index > 0 && !('joined' in actions[id]) ? [LINE] : []), action(id)]);
  const menus: MenuModel['menus'] = [
    ...(mac
      ? [
          {
            label: 'Deepdesk',
            entries: [
              role('about', 'menu.aboutApp'),
              LINE,
              action('settings'),
              LINE,
              role('services', 'menu.services'),
              LINE,
              role('hide', 'menu.hide'),
              role('hideOthers', 'menu.hideOthers'),
              role('unhide', 'menu.unhide'),
              LINE,
              role('quit', 'menu.quit'),
            ],
          },
        ]
      : []),
    {
      label: t('menu.file'),
      entries: [
        ...group('file', mac ? ['settings'] : []),
        LINE,
        role('close', 'menu.close'),
        ...(mac ? [] : [role('quit', 'menu.quit')]),
      ],
    },
    {
      label: t('menu.edit'),
      entries: [
        ...EDIT_ROLES.map((name) => (name === 'line' ? LINE : role(name, `menu.${name}`))),
        ...group('edit'),
      ],
    },
    { label: t('menu.view'), entries: [...group('view'), LINE, role('togglefullscreen', 'menu.fullScreen')] },
    { label: t('menu.thread'), entries: group('thread') },
    { label: t('menu.go'), entries: group('go') },
    {
      label: t('menu.window'),
      entries: [role('minimize', 'menu.minimize'), ...(mac ? [LINE, role('front', 'menu.front')] : [])],
    },
    { label: t('menu.help'), entries: group('help', mac ? ['about'] : []) },
  ];
  return {
    menus,
    tray: tray
      ? {
          show: t('menu.show'),
          newThread: t('actions.newThread'),
          waiting: waiting > 0 ? t('menu.waiting', { count: waiting }) : null,
          quit: t('menu.quit'),
          tooltip: waiting > 0 ? `Deepdesk · ${t('menu.waiting', { count: waiting })}` : 'Deepdesk',
        }
      : null,
    text: {
      undo: t('menu.undo'),
      redo: t('menu.redo'),
      cut: t('menu.cut'),
      copy: t('menu.copy'),
      paste: t('menu.paste'),
      selectAll: t('menu.selectAll'),
      learnWord: t('menu.learnWord'),
      noSuggestion: t('menu.noSuggestion'),
      openLink: t('menu.openLink'),
      copyLink: t('menu.copyLink'),
    },
  };
}
