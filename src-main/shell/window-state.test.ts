import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openWindowState } from './window-state';

const bounds = { x: 1, y: 2, width: 900, height: 600 };

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'deepdesk-window-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

it('opens one window where nothing is known, and the windows that there were', () => {
  const state = openWindowState(folder());
  expect(state.read()).toEqual([{ view: null, bounds: null }]);
  const windows = [
    { view: 'b-2', bounds },
    { view: null, bounds: null },
  ];
  state.write(windows);
  expect(state.read()).toEqual(windows);
});

it('reads the bounds of the one window that earlier versions wrote, and nothing that is no window', () => {
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
