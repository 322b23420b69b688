// From starting the process to a usable composer, compared with a bare window with one page.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ensureBuilt } from '../scripts/build/app.mjs';
import { root } from '../scripts/process.mjs';
import { chromiumHere } from '../scripts/runtime/capabilities.mjs';
import { appEnvironment } from '../scripts/runtime/environment.mjs';
import { prepareElectron } from '../scripts/runtime/prepare.mjs';
import { type Launch, openWindow } from './electron-window';
import { usageOf } from './processes';
import { type GroupOptions, median, type Row } from './row';
import { withFolder } from './temporary';

const RUNS = 9;
const QUICK_RUNS = 3;
/** Milliseconds that both windows idle before the measurement, and its duration. */
const SETTLE = 60_000;
const WATCH = 10_000;

const STARTS = [
  'start to usable composer',
  'start to first paint',
  'the very first start to usable composer',
] as const;
const IDLE = ['idle, of one core', 'idle, memory of all processes'] as const;

/** The minimum: one window, sandboxed like ours and of the same size, with one page and a text field. */
const bareMain = `
const { app, BrowserWindow } = require('electron');
app.on('window-all-closed', () => app.quit());
process.on('SIGTERM', () => app.quit());
app.whenReady().then(() => {
  const window = new BrowserWindow({
    width: 1280,
    height: 800,
    show: false,
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, spellcheck: false },
  });
  window.once('ready-to-show', () => window.show());
  window.loadFile('index.html');
});
`;
const barePage = '<!doctype html><meta charset="utf-8"><title>Bare</title><textarea rows="2"></textarea>\n';

function makeBareApp(folder: string): string {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'bare-window', main: 'main.cjs' }));
  writeFileSync(join(folder, 'main.cjs'), bareMain);
  writeFileSync(join(folder, 'index.html'), barePage);
  return folder;
}

async function start(launch: Launch): Promise<{ firstPaint: number; usable: number }> {
  const window = await openWindow(launch);
  await window.close();
  return window;
}

/** Medians of alternating starts. Leaves out the first of each, which creates the profile and the database. */
async function starts(bare: Launch, app: Launch, runs: number): Promise<Row[]> {
  const times = { bare: [await start(bare)], app: [await start(app)] };
  for (let run = 0; run < runs; run += 1) {
    times.bare.push(await start(bare));
    times.app.push(await start(app));
  }
  const of = (name: 'bare' | 'app', what: 'firstPaint' | 'usable') =>
    median(times[name].slice(1).map((time) => time[what]));
  const row = (name: string, what: 'firstPaint' | 'usable', ratio: number): Row => ({
    row: name,
    unit: 'ms',
    ours: of('app', what),
    anchor: { name: 'bare window', value: of('bare', what) },
    target: { ratio },
  });
  return [
    row(STARTS[0], 'usable', 1.2),
    row(STARTS[1], 'firstPaint', 1.05),
    {
      row: STARTS[2],
      unit: 'ms',
      ours: times.app[0]?.usable ?? Number.NaN,
      anchor: { name: 'bare window', value: times.bare[0]?.usable ?? Number.NaN },
      target: {},
    },
  ];
}

async function idle(bare: Launch, app: Launch, first: Launch): Promise<Row[]> {
  if (process.platform !== 'linux') return [];
  // The first window on a display probes the graphics, which loads 35 MB of drivers, and leaves the result for windows that
  // open while it is shown. Whichever of the two came first would pay that for both.
  const before = await openWindow(first);
  const windows = [await openWindow(app), await openWindow(bare)];
  await before.close();
  try {
    await setTimeout(SETTLE);
    const earlier = windows.map(({ pid }) => usageOf(pid));
    await setTimeout(WATCH);
    const after = windows.map(({ pid }) => usageOf(pid));
    const [ours = Number.NaN, theirs = Number.NaN] = after.map(
      (usage, index) => ((usage.cpu - (earlier[index]?.cpu ?? 0)) / WATCH) * 100,
    );
    const [memory = Number.NaN, bareMemory = Number.NaN] = after.map((usage) => usage.memory / 1_000_000);
    return [
      {
        row: IDLE[0],
        unit: '%',
        ours,
        anchor: { name: 'bare window', value: theirs },
        target: { atMost: 0.5 },
      },
      {
        row: IDLE[1],
        unit: 'MB',
        ours: memory,
        anchor: { name: 'bare window', value: bareMemory },
        target: { ratio: 1.25 },
      },
    ];
  } finally {
    for (const window of windows) await window.close();
  }
}

export default async function measure({ row, quick }: GroupOptions): Promise<Row[]> {
  const { electron, env, stopDisplay } = await prepareElectron();
  try {
    if (!(await ensureBuilt())) throw new Error('the app could not be built');
    return await withFolder(async (folder) => {
      const { sandboxOff } = await chromiumHere(electron.executable, { env });
      const noSandbox = sandboxOff === null ? [] : ['--no-sandbox'];
      const launch = (name: string, appFolder: string): Launch => ({
        executable: electron.executable,
        args: [appFolder, ...noSandbox, `--user-data-dir=${join(folder, `${name}-profile`)}`],
        env: appEnvironment({ ...env, LANG: 'C.UTF-8', DEEPDESK_DATA_DIR: join(folder, `${name}-data`) }),
      });
      const bareApp = makeBareApp(join(folder, 'bare'));
      const bare = launch('bare', bareApp);
      const app = launch('app', root);
      // The two are measured separately, so a row of one does not need the other.
      const [isStart, isIdle] = [STARTS, IDLE].map((names) => names.some((name) => name.includes(row)));
      const rows = [
        ...(isStart ? await starts(bare, app, quick ? QUICK_RUNS : RUNS) : []),
        ...(isIdle ? await idle(bare, app, launch('first', bareApp)) : []),
      ];
      return rows.filter((one) => one.row.includes(row));
    });
  } finally {
    stopDisplay();
  }
}
