// A flood of output through a real terminal of the app, compared with xterm.js alone, fed with the same from memory.
import { copyFileSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { root } from '../../scripts/process.mjs';
import { type Launch, type OpenWindow, openWindow } from '../electron-window';
import { usageOf } from '../processes';
import { median, type Row } from '../row';

const MB = 1_000_000;
/** Milliseconds between measurements of memory, which take time themselves, and between checks for marker files. */
const LOOK_MEMORY = 500;
const LOOK = 5;
const WITHIN = 120_000;

/** About 1 MB of build output: lines of different lengths, some in color. */
function oneMegabyte(): string {
  const lines: string[] = [];
  let length = 0;
  for (let line = 0; length < MB; line += 1) {
    const path = `src/module-${line % 97}/part-${line % 1_013}.ts`;
    const text =
      line % 4 === 0
        ? `\x1b[32m✓\x1b[0m ${path} \x1b[2m${(line * 7) % 900} ms\x1b[0m`
        : `${String(line).padStart(8, '0')} compiled ${path} with nothing to say but that it took its time`;
    lines.push(text);
    length += Buffer.byteLength(text) + 1;
  }
  return `${lines.join('\n')}\n`;
}

const bareMain = `
const { app, BrowserWindow } = require('electron');
app.on('window-all-closed', () => app.quit());
process.on('SIGTERM', () => app.quit());
app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1280, height: 800, webPreferences: { sandbox: true, backgroundThrottling: false } });
  window.loadFile('index.html');
});
`;
const barePage = `<!doctype html><meta charset="utf-8"><title>Bare</title>
<link rel="stylesheet" href="xterm.css"><script src="xterm.js"></script><script src="addon-webgl.js"></script>
<textarea rows="1"></textarea><div id="place" style="width:1000px;height:260px"></div>
`;

/** A window with xterm.js and nothing else. */
export function makeBareTerminal(folder: string): string {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'bare-terminal', main: 'main.cjs' }));
  writeFileSync(join(folder, 'main.cjs'), bareMain);
  writeFileSync(join(folder, 'index.html'), barePage);
  const from = join(root, 'node_modules', '@xterm');
  copyFileSync(join(from, 'xterm', 'lib', 'xterm.js'), join(folder, 'xterm.js'));
  copyFileSync(join(from, 'xterm', 'css', 'xterm.css'), join(folder, 'xterm.css'));
  copyFileSync(join(from, 'addon-webgl', 'lib', 'addon-webgl.js'), join(folder, 'addon-webgl.js'));
  return folder;
}

/** Milliseconds to consume this many megabytes in chunks, each sent after the previous one was consumed. */
const feed = (text: string, megabytes: number, drawsWith: 'webgl' | 'elements') => `new Promise((resolve) => {
  const text = ${JSON.stringify(text)}.replaceAll('\\n', '\\r\\n');
  const terminal = new Terminal({ cols: 120, rows: 16, scrollback: 10000, minimumContrastRatio: 4.5 });
  terminal.open(document.querySelector('#place'));
  if (${drawsWith === 'webgl'}) terminal.loadAddon(new WebglAddon.WebglAddon());
  const PIECE = 65536;
  const from = performance.now();
  let at = 0;
  let round = 0;
  const next = () => {
    if (at >= text.length) { at = 0; round += 1; }
    if (round === ${megabytes}) { const took = performance.now() - from; terminal.dispose(); return resolve(took); }
    const piece = text.slice(at, at + PIECE);
    at += PIECE;
    terminal.write(piece, next);
  };
  next();
})`;

async function until(isTrue: () => boolean, what: string): Promise<void> {
  const late = performance.now() + WITHIN;
  while (!isTrue()) {
    if (performance.now() > late) throw new Error(`${what} did not happen`);
    await setTimeout(LOOK);
  }
}

const click = (label: string) => `new Promise((resolve, reject) => {
  const late = setTimeout(() => reject(new Error('no button ${label}')), 20000);
  const look = () => {
    const button = document.querySelector('button[aria-label="${label}"]')
      ?? [...document.querySelectorAll('button')].find((one) => one.textContent === '${label}');
    if (!button) return requestAnimationFrame(look);
    clearTimeout(late);
    button.click();
    resolve(true);
  };
  look();
})`;
const focus = `new Promise((resolve, reject) => {
  const late = setTimeout(() => reject(new Error('no terminal')), 20000);
  const look = () => {
    const field = document.querySelector('.xterm-helper-textarea');
    if (!field) return requestAnimationFrame(look);
    clearTimeout(late);
    field.focus();
    resolve(true);
  };
  look();
})`;

async function run(window: OpenWindow, command: string): Promise<void> {
  await window.evaluate(focus);
  await window.send('Input.insertText', { text: command });
  await press(window, { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' });
}

const press = async (window: OpenWindow, key: object) => {
  await window.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key });
  await window.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
};

/** Marker files and scripts in the project folder of the app. */
class Marks {
  constructor(private readonly folder: string) {}

  private at(name: string): string {
    return join(this.folder, name);
  }

  clear(): void {
    for (const name of ['began', 'ended', 'key', 'stopped', 'ready']) rmSync(this.at(name), { force: true });
  }

  has(name: string): boolean {
    return existsSync(this.at(name));
  }

  /** When a program wrote it, in milliseconds since 1970. */
  time(name: string): number {
    return statSync(this.at(name)).mtimeMs;
  }

  until(name: string): Promise<void> {
    return until(() => this.has(name), name);
  }

  /** Writes a script and returns the command that runs it in the folder. */
  script(name: string, lines: string): string {
    writeFileSync(this.at(name), `cd '${this.folder}'\n${lines}\n`);
    return `bash '${this.at(name)}'`;
  }
}

/** Milliseconds that each way of drawing in bare xterm.js takes, once per run. */
async function aloneTimes(bare: Launch, { megabytes, runs }: Size) {
  const text = oneMegabyte();
  const times: Record<'webgl' | 'elements', number[]> = { webgl: [], elements: [] };
  const window = await openWindow(bare);
  try {
    for (let at = 0; at < runs; at += 1)
      for (const drawsWith of ['webgl', 'elements'] as const)
        times[drawsWith].push(z.number().parse(await window.evaluate(feed(text, megabytes, drawsWith))));
  } finally {
    await window.close();
  }
  return times;
}

async function openTerminal(window: OpenWindow, marks: Marks): Promise<void> {
  await window.evaluate(click('Show or hide the terminal'));
  await window.evaluate(click('New terminal'));
  const ready = marks.script('ready.sh', 'touch ready');
  const late = performance.now() + WITHIN;
  // Input before the terminal is on the screen is lost.
  while (!marks.has('ready') && performance.now() < late) {
    await run(window, ready);
    await setTimeout(1_000);
  }
  if (!marks.has('ready')) throw new Error('the shell did not come up');
}

/** Milliseconds of one flood, and by how many MB the memory of all processes grew during it. */
async function flood(window: OpenWindow, marks: Marks): Promise<{ time: number; growth: number }> {
  const command = marks.script('flood.sh', 'touch began; cat big.txt; touch ended');
  const before = usageOf(window.pid).memory;
  let most = before;
  await run(window, command);
  await marks.until('began');
  while (!marks.has('ended')) {
    most = Math.max(most, usageOf(window.pid).memory);
    await setTimeout(LOOK_MEMORY);
  }
  return { time: marks.time('ended') - marks.time('began'), growth: (most - before) / MB };
}

/** Milliseconds from a key press in a flood until the program has read it. */
async function keyTime(window: OpenWindow, marks: Marks): Promise<number> {
  const lines = 'cat big.txt & touch began; IFS= read -rsn1 k; touch key; wait; touch ended';
  await run(window, marks.script('key.sh', lines));
  await marks.until('began');
  await setTimeout(700);
  const pressed = Date.now();
  await press(window, { key: 'x', code: 'KeyX', windowsVirtualKeyCode: 88, text: 'x' });
  await marks.until('key');
  const time = marks.time('key') - pressed;
  await marks.until('ended');
  return time;
}

/** Milliseconds from Ctrl+C in a flood until the program has stopped. */
async function stopTime(window: OpenWindow, marks: Marks): Promise<number> {
  const lines = "trap 'touch stopped; exit' INT; touch began; while :; do cat big.txt; done";
  await run(window, marks.script('stop.sh', lines));
  await marks.until('began');
  await setTimeout(700);
  const pressed = Date.now();
  await press(window, { key: 'c', code: 'KeyC', windowsVirtualKeyCode: 67, modifiers: 2 });
  await marks.until('stopped');
  return marks.time('stopped') - pressed;
}

interface Size {
  megabytes: number;
  runs: number;
}

/** `launch` starts the app in a project folder. Its rows are compared with `bare`, a bare terminal. */
export async function flooding(launch: Launch, bare: Launch, folder: string, size: Size): Promise<Row[]> {
  const { megabytes, runs } = size;
  writeFileSync(join(folder, 'big.txt'), oneMegabyte().repeat(megabytes));
  const marks = new Marks(folder);
  const alone = await aloneTimes(bare, size);
  const window = await openWindow(launch);
  /** One result per run. */
  const repeated = async <T>(measure: (window: OpenWindow, marks: Marks) => Promise<T>): Promise<T[]> => {
    const results: T[] = [];
    while (results.length < runs) {
      marks.clear();
      results.push(await measure(window, marks));
    }
    return results;
  };
  try {
    await openTerminal(window, marks);
    const floods = await repeated(flood);
    const keys = await repeated(keyTime);
    return rowsOf(megabytes, alone, floods, keys, await repeated(stopTime));
  } finally {
    await window.close();
  }
}

const rowsOf = (
  megabytes: number,
  alone: Record<'webgl' | 'elements', number[]>,
  floods: readonly { time: number; growth: number }[],
  keys: readonly number[],
  stops: readonly number[],
): Row[] => {
  const ours = median(floods.map(({ time }) => time));
  // Without a graphics card, WebGL is drawn by software and is the slower one.
  const [faster, ...slower] = [
    { name: 'xterm.js with WebGL', value: median(alone.webgl) },
    { name: 'xterm.js without WebGL', value: median(alone.elements) },
  ].toSorted((a, b) => a.value - b.value);
  if (faster === undefined) throw new Error('xterm.js was not measured alone');
  return [
    {
      row: `${megabytes} MB through pty and terminal`,
      unit: 'ms',
      ours,
      anchor: faster,
      others: slower,
      target: { ratio: 1.3 },
    },
    {
      row: 'the same, memory of all processes',
      unit: 'MB',
      ours: Math.max(...floods.map(({ growth }) => growth)),
      target: { atMost: 100 },
    },
    {
      row: 'key press to the program meanwhile',
      unit: 'ms',
      ours: Math.max(...keys),
      target: { atMost: 100 },
    },
    {
      row: 'Ctrl C until it has stopped meanwhile',
      unit: 'ms',
      ours: Math.max(...stops),
      target: { atMost: 1_000 },
    },
  ];
};
