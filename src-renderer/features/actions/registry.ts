/** The action's group in the menu bar and in the list of shortcuts. */
export type ActionGroup = 'file' | 'edit' | 'view' | 'thread' | 'go' | 'help';
export const groups: readonly ActionGroup[] = ['file', 'edit', 'view', 'thread', 'go', 'help'];

export interface ActionSpec {
  group: ActionGroup;
  /** In the format of keys.ts; null means none by default. */
  keys: string | null;
  /** Follows the previous menu item without a separator. */
  joined?: true;
}

/**
 * Everything that the person can do without pointing at it. The palette, the menu bar, the shortcuts and their settings page
 * all read this. app/use-actions.ts implements the actions; their labels are `actions.<id>` in the catalogue.
 */
export const actions = {
  newThread: { group: 'file', keys: 'mod+n' },
  newWindow: { group: 'file', keys: 'mod+shift+n', joined: true },
  addFolder: { group: 'file', keys: 'mod+o', joined: true },
  addRemoteFolder: { group: 'file', keys: null, joined: true },
  importThread: { group: 'file', keys: null },
  exportMarkdown: { group: 'file', keys: 'mod+shift+s', joined: true },
  exportHtml: { group: 'file', keys: null, joined: true },
  exportJson: { group: 'file', keys: null, joined: true },
  revealProject: { group: 'file', keys: 'mod+shift+r', joined: true },
  settings: { group: 'file', keys: 'mod+,' },

  undoLast: { group: 'edit', keys: 'mod+alt+z' },

  toggleSidebar: { group: 'view', keys: 'mod+b' },
  toggleDock: { group: 'view', keys: 'mod+shift+b', joined: true },
  widenDock: { group: 'view', keys: 'mod+alt+b', joined: true },
  toggleTerminal: { group: 'view', keys: 'mod+j', joined: true },
  showFiles: { group: 'view', keys: 'mod+shift+e' },
  showChanges: { group: 'view', keys: 'mod+shift+g', joined: true },
  showMemories: { group: 'view', keys: 'mod+shift+m', joined: true },
  showPlan: { group: 'view', keys: 'mod+shift+p', joined: true },
  larger: { group: 'view', keys: 'mod+=' },
  smaller: { group: 'view', keys: 'mod+-', joined: true },
  usualSize: { group: 'view', keys: 'mod+0', joined: true },
  otherTheme: { group: 'view', keys: 'mod+alt+t', joined: true },

  stop: { group: 'thread', keys: 'mod+.' },
  focusApproval: { group: 'thread', keys: 'mod+shift+d' },
  tightenMode: { group: 'thread', keys: 'mod+shift+l', joined: true },
  focusComposer: { group: 'thread', keys: 'mod+l' },
  findInThread: { group: 'thread', keys: 'mod+f', joined: true },
  pinThread: { group: 'thread', keys: null },
  duplicateThread: { group: 'thread', keys: null, joined: true },
  archiveThread: { group: 'thread', keys: 'mod+shift+x', joined: true },
  deleteThread: { group: 'thread', keys: null },

  palette: { group: 'go', keys: 'mod+k' },
  searchThreads: { group: 'go', keys: 'mod+shift+f', joined: true },
  inbox: { group: 'go', keys: 'mod+shift+a' },
  activity: { group: 'go', keys: 'mod+shift+y', joined: true },
  routines: { group: 'go', keys: null, joined: true },
  quickOpen: { group: 'go', keys: 'mod+p' },
  previousThread: { group: 'go', keys: 'mod+pageup' },
  nextThread: { group: 'go', keys: 'mod+pagedown', joined: true },
  nextPart: { group: 'go', keys: 'f6' },
  previousPart: { group: 'go', keys: 'shift+f6', joined: true },

  shortcuts: { group: 'help', keys: 'mod+/' },
  about: { group: 'help', keys: null, joined: true },
} as const satisfies Record<string, ActionSpec>;

export type ActionId = keyof typeof actions;
export const actionIds = Object.keys(actions) as ActionId[];

export const isAction = (id: string): id is ActionId => Object.hasOwn(actions, id);

/** The keys that the person chose instead of the defaults. */
export type ChosenKeys = Readonly<Record<string, string | null>>;

export function keysOfAction(id: ActionId, chosen: ChosenKeys): string | null {
  const own = chosen[id];
  return own === undefined ? actions[id].keys : own;
}

/** The action that has these keys, except `except`. */
export function actionWith(keys: string, chosen: ChosenKeys, except?: ActionId): ActionId | undefined {
  return actionIds.find((id) => id !== except && keysOfAction(id, chosen) === keys);
}

/**
 * What each action does now. If `when` is false, the action has no target and is shown as disabled. `about`: what it would
 * act on, in words.
 */
export type Runs = Record<ActionId, { when: boolean; checked?: boolean; about?: string; run(): void }>;
