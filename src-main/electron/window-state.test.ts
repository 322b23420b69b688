import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { planWipe } from '../host/settings/pending-data';
import { hasShownData, openWindowState, placeOf } from './window-state';

const bounds = { x: 1, y: 2, width: 900, height: 600 };

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'deepdesk-window-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

it('opens one window if nothing is saved, else the saved windows', () => {
  const state = openWindowState(folder());
  expect(state.read()).toEqual([{ view: null, bounds: null }]);
  const windows = [
    { view: 'b-2', bounds },
    { view: null, bounds: { ...bounds, maximized: true } },
  ];
  state.write(windows);
  expect(state.read()).toEqual(windows);
});

it("reads the single window's bounds from earlier versions and ignores invalid windows", () => {
  const dataDir = folder();
  const state = openWindowState(dataDir);
  const written = (text: string) => {
    writeFileSync(join(dataDir, 'window.json'), text);
    return state.read();
  };
  expect(written(JSON.stringify(bounds))).toEqual([{ view: null, bounds }]);
  expect(written('{"windows":[]}')).toEqual([{ view: null, bounds: null }]);
  expect(written('{"windows":[{"view":"../x","bounds":null}]}')).toEqual([{ view: null, bounds: null }]);
  expect(written('{"windows":[{"view":"a","bounds":null},{"view":"a","bounds":null}]}')).toHaveLength(1);
});

const area = { x: 1920, y: 24, width: 1366, height: 744 };

it('opens a window at its saved place and size on an existing screen', () => {
  const kept = { x: 2_000, y: 40, width: 900, height: 600 };
  expect(placeOf({ ...kept, maximized: true }, area)).toEqual(kept);
});

it('shrinks a window from a larger, missing screen to fit the present one', () => {
  expect(placeOf({ x: 1_920, y: 24, width: 2_560, height: 1_440 }, area)).toEqual({
    x: 1_920,
    y: 24,
    width: 1_366,
    height: 744,
  });
});

it('lets the system place a window that would be out of reach', () => {
  const size = { width: 900, height: 600 };
  for (const place of [
    { x: 90_000, y: 40 },
    { x: 1_000, y: 40 },
    { x: 2_000, y: 0 },
    { x: 2_000, y: 760 },
  ])
    expect(placeOf({ ...place, ...size }, area)).toEqual(size);
});

it('detects data that windows can have shown: present, and not about to be replaced', () => {
  const dataDir = folder();
  expect(hasShownData(dataDir)).toBe(false);
  writeFileSync(join(dataDir, 'deepdesk.db'), '');
  expect(hasShownData(dataDir)).toBe(true);
  planWipe(dataDir);
  expect(hasShownData(dataDir)).toBe(false);
});
