import { MenuModel } from '@contract/commands/menu';
import { describe, expect, it } from 'vitest';
import { translator } from '../../i18n';
import { menuModel } from './menus';
import { actionIds, type Runs } from './registry';

const runs = Object.fromEntries(
  actionIds.map((id) => [id, { when: id !== 'stop', run: () => undefined }]),
) as Runs;
const model = (platform: 'linux' | 'darwin', change: Partial<Parameters<typeof menuModel>[0]> = {}) =>
  menuModel({ platform, t: translator('en'), runs, chosen: {}, tray: true, waiting: 2, ...change });

describe('the menus', () => {
  it.each(['linux', 'darwin'] as const)(
    'contain every action once on %s, with labels that the main process accepts',
    (platform) => {
      const { menus } = MenuModel.parse(model(platform));
      const ids = menus.flatMap(({ entries }) =>
        entries.flatMap((entry) => (entry.kind === 'action' ? [entry.id] : [])),
      );
      const missing = platform === 'darwin' ? ['about'] : [];
      expect([...ids].sort()).toEqual(actionIds.filter((id) => !missing.includes(id)).sort());
      for (const { entries } of menus) {
        expect(entries[0]?.kind).not.toBe('line');
        expect(entries.at(-1)?.kind).not.toBe('line');
        expect(entries.some(({ kind }, at) => kind === 'line' && entries[at + 1]?.kind === 'line')).toBe(
          false,
        );
      }
    },
  );

  it("show the user's keys, and disable what is unavailable", () => {
    const entries = model('linux', { chosen: { newThread: 'mod+alt+n', inbox: null } }).menus.flatMap(
      (menu) => menu.entries,
    );
    const of = (id: string) => entries.find((entry) => entry.kind === 'action' && entry.id === id);
    expect(of('newThread')).toMatchObject({ keys: 'CommandOrControl+Alt+N', enabled: true });
    expect(of('inbox')).toMatchObject({ keys: null });
    expect(of('stop')).toMatchObject({ enabled: false });
  });

  it('use the chosen language, and count pending decisions in the tray', () => {
    const t = translator('zh');
    expect(model('linux', { t }).menus.map(({ label }) => label)[0]).toBe('文件');
    expect(model('linux').tray?.waiting).toBe('2 pending approvals');
    expect(model('linux', { waiting: 0 }).tray?.waiting).toBe(null);
    expect(model('linux', { tray: false }).tray).toBe(null);
  });
});
