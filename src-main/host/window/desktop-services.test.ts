import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { MenuModel } from '../../contract/commands/menu';
import type { FolderOffer } from '../../contract/commands/project';
import { isIdle, setUp } from '../testing/window';
import type { DesktopServices } from './desktop-services';

const fakeDesktop = () => {
  const desktop = {
    chooseFolder: async () => null,
    reveal: () => undefined,
    openExternal: async () => false,
    keychain: null,
    notify: vi.fn<NonNullable<DesktopServices['notify']>>(),
    isFocused: vi.fn(() => false),
    showWindow: vi.fn(),
    locale: () => 'zh-CN',
    setMenu: vi.fn<NonNullable<DesktopServices['setMenu']>>(),
  };
  return desktop satisfies DesktopServices;
};
const text = {
  undo: 'U',
  redo: 'R',
  cut: 'X',
  copy: 'C',
  paste: 'P',
  selectAll: 'A',
  learnWord: 'L',
  noSuggestion: 'N',
  openLink: 'O',
  copyLink: 'K',
};

describe('the end of a turn', () => {
  it("shows a notification while no window has focus, in the person's language", async () => {
    const desktop = fakeDesktop();
    const t = await setUp({ desktop });
    await t.say('list files');
    await t.window.until(isIdle);
    await vi.waitFor(() => expect(desktop.notify).toHaveBeenCalledTimes(1));
    const [note] = desktop.notify.mock.calls[0] ?? [];
    expect(note).toMatchObject({ title: '智能体已完成', body: 'list files' });
    await t.window.must('app.open', {});
    note?.onClick();
    expect(desktop.showWindow).toHaveBeenCalledTimes(1);
    await vi.waitFor(() =>
      expect(t.window.events.at(-1)).toEqual({ type: 'show.thread', threadId: t.threadId }),
    );
  });

  it('shows no notification while a window has focus, or if the person turned them off', async () => {
    const desktop = fakeDesktop();
    desktop.isFocused.mockReturnValue(true);
    const t = await setUp({ desktop });
    await t.say('list files');
    await t.window.until(isIdle);
    desktop.isFocused.mockReturnValue(false);
    await t.window.must('settings.change', { turnNotifications: false });
    await t.say('list files');
    await t.window.until(isIdle);
    await new Promise(setImmediate);
    expect(desktop.notify).not.toHaveBeenCalled();
  });
});

describe('the notification about the end of a turn', () => {
  const finished = async () => {
    const close = vi.fn();
    const desktop = fakeDesktop();
    desktop.notify.mockReturnValue(close);
    const t = await setUp({ desktop });
    await t.say('list files');
    const { seq } = await t.window.until(isIdle);
    await vi.waitFor(() => expect(desktop.notify).toHaveBeenCalledTimes(1));
    return { ...t, close, seq };
  };

  it('disappears when the person opens the thread', async () => {
    const { window, threadId, close, seq } = await finished();
    await window.must('thread.rename', { threadId, title: 'Another title' });
    expect(close).not.toHaveBeenCalled();
    await window.must('thread.seen', { threadId, seq });
    expect(close).toHaveBeenCalledTimes(1);
  });

  it('disappears when the thread goes on, or is deleted', async () => {
    const goesOn = await finished();
    await goesOn.say('list files');
    await vi.waitFor(() => expect(goesOn.close).toHaveBeenCalledTimes(1));
    const deleted = await finished();
    await deleted.window.must('thread.delete', { threadId: deleted.threadId });
    expect(deleted.close).toHaveBeenCalledTimes(1);
  });
});

describe('desktop integration', () => {
  it('sends a menu choice back to the window that sent the menu', async () => {
    const desktop = fakeDesktop();
    const t = await setUp({ desktop });
    const model: MenuModel = {
      menus: [
        {
          label: 'File',
          entries: [{ kind: 'action', id: 'newThread', label: 'New', keys: 'Ctrl+N', enabled: true }],
        },
      ],
      tray: null,
      text,
    };
    await t.window.must('menu.set', model);
    const [sent, run] = desktop.setMenu.mock.calls[0] ?? [];
    expect(sent).toEqual(model);
    run?.('newThread');
    await vi.waitFor(() => expect(t.window.events.at(-1)).toEqual({ type: 'run.action', id: 'newThread' }));
    const refused = await t.window.client.call('menu.set', {
      ...model,
      menus: [{ label: 'x', entries: [{ kind: 'role', role: 'toggleDevTools' as 'quit', label: 'x' }] }],
    });
    expect(refused).toMatchObject({ ok: false, error: { kind: 'invalid' } });
  });

  it('opens an offered folder only after the person confirms, and once', async () => {
    const t = await setUp();
    const folder = join(t.folder, 'offered');
    mkdirSync(folder);
    t.host.offers.add(folder);
    t.host.offers.add(folder);
    const { offers } = (await t.window.must('project.offers', {})) as { offers: FolderOffer[] };
    expect(offers.map((offer) => offer.folder)).toEqual([folder]);
    const before = t.host.storage.projects.list().length;
    const id = offers[0]?.id ?? '';
    expect(t.host.storage.projects.list()).toHaveLength(before);
    expect(await t.window.must('project.answerOffer', { id, open: true })).toMatchObject({
      project: { folder },
    });
    expect(await t.window.must('project.answerOffer', { id, open: true })).toEqual({ project: null });
    t.host.offers.add('/nowhere/at/all');
    const again = (await t.window.must('project.offers', {})) as { offers: FolderOffer[] };
    expect(
      await t.window.must('project.answerOffer', { id: again.offers[0]?.id ?? '', open: false }),
    ).toEqual({ project: null });
    expect(t.host.storage.projects.list()).toHaveLength(before + 1);
  });

  it('holds content to show until there is a window', async () => {
    const t = await setUp();
    t.host.offers.show({ type: 'show.thread', threadId: t.threadId });
    expect(t.window.events.some(({ type }) => type === 'show.thread')).toBe(false);
    await t.window.must('project.offers', {});
    await vi.waitFor(() =>
      expect(t.window.events.at(-1)).toEqual({ type: 'show.thread', threadId: t.threadId }),
    );
  });
});
