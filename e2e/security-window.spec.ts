// security.md section 4: the window, and the APIs of its page.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './support/app';
import { answerConfirmations, askedOutside } from './support/confirmations';
import { processTree } from './support/processes';
import { currentRun } from './support/run';
import { composer } from './support/window';

test('sandboxes and isolates every window [renderer 1]', async ({ sharedApp }) => {
  const { app, page } = sharedApp;
  await expect(composer(page)).toBeVisible();
  const preferences = await app.evaluate(({ webContents }) =>
    webContents.getAllWebContents().map((contents) => {
      // The window's actual preferences; Electron has the method, but its published types lack it.
      const real = (
        contents as { getLastWebPreferences?(): Record<string, unknown> }
      ).getLastWebPreferences?.();
      return [
        'sandbox',
        'contextIsolation',
        'nodeIntegration',
        'nodeIntegrationInWorker',
        'nodeIntegrationInSubFrames',
        'webviewTag',
        'webSecurity',
        'allowRunningInsecureContent',
        'experimentalFeatures',
        'navigateOnDragDrop',
      ].map((name) => `${name}: ${real?.[name] ?? false}`);
    }),
  );
  expect(preferences).toEqual([
    [
      'sandbox: true',
      'contextIsolation: true',
      'nodeIntegration: false',
      'nodeIntegrationInWorker: false',
      'nodeIntegrationInSubFrames: false',
      'webviewTag: false',
      'webSecurity: true',
      'allowRunningInsecureContent: false',
      'experimentalFeatures: false',
      'navigateOnDragDrop: false',
    ],
  ]);
});

test('blocks system calls of the renderer that other programs can make [renderer 1]', async ({
  sharedApp,
}) => {
  test.skip(process.platform !== 'linux', 'reads /proc');
  const { sandboxOff } = currentRun();
  test.skip(sandboxOff !== null, sandboxOff ?? '');
  const { app, page } = sharedApp;
  await expect(composer(page)).toBeVisible();
  const main = await app.evaluate(() => process.pid);
  const renderers = processTree(main).filter(({ words }) => words.join(' ').includes('--type=renderer'));
  expect(renderers.length).toBeGreaterThan(0);
  for (const { pid, words } of renderers) {
    expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^Seccomp:\s*2$/m);
    expect(words.join(' ')).not.toContain('--no-sandbox');
  }
});

test('gives the renderer nothing but its port [renderer 2]', async ({ launchApp }) => {
  const { app, page } = await launchApp();
  await expect(composer(page)).toBeVisible();
  const found = await page.evaluate(() =>
    [
      'require',
      'process',
      'Buffer',
      'module',
      'global',
      'ipcRenderer',
      'electron',
      '__dirname',
      'deepdesk',
    ].filter((name) => name in window),
  );
  expect(found).toEqual([]);
  // Compared with an empty page without our preload and scripts: the page's world has none of our names.
  const bare = await app.evaluate(async ({ BrowserWindow }) => {
    const window = new BrowserWindow({
      show: false,
      webPreferences: { sandbox: true, contextIsolation: true },
    });
    await window.loadURL('app://deepdesk/nothing-here');
    const names: unknown = await window.webContents.executeJavaScript('Object.getOwnPropertyNames(window)');
    window.destroy();
    return names as string[];
  });
  expect(bare.length).toBeGreaterThan(500);
  const own = await page.evaluate(() => Object.getOwnPropertyNames(window));
  expect(own.filter((name) => !bare.includes(name) && !name.startsWith('__playwright')).sort()).toEqual([
    // Zod's global configuration.
    '__zod_globalConfig',
    '__zod_globalRegistry',
  ]);
});

test('sends only plain values over the port [renderer 2]', async ({ sharedApp }) => {
  const { app, page } = sharedApp;
  await expect(composer(page)).toBeVisible();
  // The page gets another port after each load; the test inspects the next one from the page.
  await page.evaluate(() => {
    const received = new Promise<string[]>((resolve) => {
      window.addEventListener('message', (event) => {
        const [port] = event.ports;
        if (port === undefined) return;
        port.addEventListener('message', ({ data }) =>
          resolve([
            String(event.data),
            Object.getPrototypeOf(data) === Object.prototype ? 'plain' : 'odd',
            Object.keys(data).sort().join(),
          ]),
        );
        port.start();
        port.postMessage({ kind: 'call', id: 77, command: 'no such command', input: {} });
      });
    });
    Object.assign(window, { received });
  });
  await app.evaluate(({ webContents }) => void webContents.getAllWebContents()[0]?.emit('did-finish-load'));
  const received = await page.evaluate(() => (window as Window & { received?: Promise<string[]> }).received);
  expect(received?.slice(0, 2)).toEqual(['deepdesk:port', 'plain']);
});

test('listens to no renderer channel in the main process except dropped folders, and asks about those [renderer 3]', async ({
  sharedApp,
}) => {
  const { app, page } = sharedApp;
  await expect(composer(page)).toBeVisible();
  const channels = await app.evaluate(({ ipcMain, webContents }) => {
    const handlers = Reflect.get(ipcMain, '_invokeHandlers') as Map<string, unknown> | undefined;
    const contents = webContents.getAllWebContents()[0];
    return {
      global: ipcMain.eventNames().map(String),
      invoked: handlers === undefined ? ['unknown'] : [...handlers.keys()],
      own: contents?.ipc.eventNames().map(String),
    };
  });
  // Electron itself listens for errors.
  expect(channels).toEqual({ global: ['error', 'dropped'], invoked: [], own: ['error'] });

  // What a compromised page could send: nothing opens without consent, and nothing else has an effect.
  await app.evaluate(({ BrowserWindow, dialog, ipcMain }) => {
    const asked: unknown[] = [];
    Object.assign(globalThis, { asked });
    dialog.showMessageBox = (async (...words: unknown[]) => {
      asked.push((words.at(-1) as Electron.MessageBoxOptions).detail);
      return { response: 0, checkboxChecked: false };
    }) as typeof dialog.showMessageBox;
    const sender = BrowserWindow.getAllWindows()[0]?.webContents;
    const forged = [['/etc/passwd'], '/etc', [1], [''], { 0: '/etc' }, [['/etc']], null];
    ipcMain.emit('dropped', { sender, senderFrame: null }, ['/usr']);
    for (const paths of forged) ipcMain.emit('dropped', { sender, senderFrame: sender?.mainFrame }, paths);
    ipcMain.emit('dropped', { sender, senderFrame: sender?.mainFrame }, ['/etc']);
  });
  await expect
    .poll(() => app.evaluate(() => Reflect.get(globalThis, 'asked') as unknown[]))
    .toEqual(['/etc']);
  await expect(page.getByRole('button', { name: 'etc', exact: true })).toHaveCount(0);
});

test('asks in a system dialog when the renderer wants more access, and grants nothing on a no [renderer 3, safety 27]', async ({
  launchApp,
}) => {
  const { app, page, dataDir } = await launchApp();
  await expect(composer(page)).toBeVisible();
  await answerConfirmations(app, false);
  const program = {
    name: 'x',
    previous: null,
    transport: 'stdio',
    command: '/bin/touch',
    args: ['/tmp/taken-over'],
  };
  await page.evaluate(
    (draft) => {
      const answers: string[] = [];
      Object.assign(window, { answers });
      window.addEventListener('message', (event) => {
        const [port] = event.ports;
        if (port === undefined) return;
        // Referenced, so that it is not garbage collected.
        Object.assign(window, { port });
        port.addEventListener('message', ({ data }) => {
          if (data.id >= 100) answers.push(`${data.id} ${data.result.ok ? 'ok' : data.result.error.kind}`);
          if (data.id !== 99) return;
          const [{ id: projectId }] = data.result.value.projects;
          const call = (id: number, command: string, input: object) =>
            port.postMessage({ kind: 'call', id, command, input });
          const ask = [
            ['project.setMode', { projectId, mode: 'auto-sandbox', loosen: true }],
            ['project.setMode', { projectId, mode: 'plan' }],
            ['project.setMode', { projectId, mode: 'ask-risky', loosen: true }],
            ['mcp.save', { draft }],
            ['models.setBaseUrl', { provider: 'anthropic', baseUrl: 'https://evil.example' }],
          ] as const;
          // One after another: a second dialog is rejected anyway.
          const next = (at: number) => {
            const one = ask[at];
            if (one === undefined) return;
            call(100 + at, one[0], one[1]);
            const seen = setInterval(() => {
              if (answers.length <= at) return;
              clearInterval(seen);
              next(at + 1);
            }, 10);
          };
          next(0);
        });
        port.start();
        port.postMessage({ kind: 'call', id: 99, command: 'app.open', input: {} });
      });
    },
    { ...program, cwd: '', url: '', secrets: [], timeoutSeconds: 60 },
  );
  await app.evaluate(({ webContents }) => void webContents.getAllWebContents()[0]?.emit('did-finish-load'));
  const answers = () => page.evaluate(() => (window as Window & { answers?: string[] }).answers ?? []);
  await expect.poll(async () => (await answers()).length).toBe(5);
  const [first = '', ...others] = await answers();
  // Without a sandbox there is no such mode to ask about.
  expect(['100 cancelled', '100 unsupported']).toContain(first);
  expect(others).toEqual(['101 ok', '102 cancelled', '103 cancelled', '104 cancelled']);
  const asked = (await askedOutside(app)).slice(first.endsWith('cancelled') ? 1 : 0);
  expect(asked.map(({ message }) => message)).toEqual([
    'Change “sample-project” to “Ask before changes”?',
    'Run this program as the MCP server “x”?',
    'Send requests for Anthropic to this address?',
  ]);
  expect(asked[1]?.detail).toContain('/bin/touch\n  /tmp/taken-over\n');
  expect(asked[2]?.detail).toContain('https://evil.example');
  // Neither Enter nor Escape confirms.
  expect(asked.map(({ buttons, defaultId }) => buttons[defaultId])).toEqual(['Cancel', 'Cancel', 'Cancel']);
  await expect(page.getByRole('button', { name: 'Approval mode: Plan only' })).toBeVisible();
  expect(existsSync(join(dataDir, 'mcp.json'))).toBe(false);
});

test('denies every permission and device [renderer 9]', async ({ launchApp }) => {
  const { app, page } = await launchApp();
  await expect(composer(page)).toBeVisible();
  const answers = await page.evaluate(async () => {
    const refused = (ask: () => unknown) =>
      Promise.resolve()
        .then(ask)
        .then(
          (value) => `got ${String(value)}`,
          () => 'refused',
        );
    const devices = navigator as Navigator &
      Record<
        'usb' | 'hid' | 'serial' | 'bluetooth',
        { requestDevice?(o: object): unknown; requestPort?(): unknown }
      >;
    return {
      notifications: await Notification.requestPermission(),
      camera: await refused(() => navigator.mediaDevices.getUserMedia({ video: true })),
      microphone: await refused(() => navigator.mediaDevices.getUserMedia({ audio: true })),
      screen: await refused(() => navigator.mediaDevices.getDisplayMedia({ video: true })),
      place: await refused(
        () => new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(resolve, reject)),
      ),
      midi: await refused(() => navigator.requestMIDIAccess({ sysex: true })),
      clipboard: await refused(() => navigator.clipboard.readText()),
      usb: await refused(() => devices.usb.requestDevice?.({ filters: [] })),
      hid: await refused(async () => {
        const found = await devices.hid.requestDevice?.({ filters: [] });
        if (Array.isArray(found) && found.length === 0) throw new Error('none');
        return found;
      }),
      serial: await refused(() => devices.serial.requestPort?.()),
    };
  });
  expect(answers).toEqual({
    notifications: 'denied',
    camera: 'refused',
    microphone: 'refused',
    screen: 'refused',
    place: 'refused',
    midi: 'refused',
    clipboard: 'refused',
    usb: 'refused',
    hid: 'refused',
    serial: 'refused',
  });
  const states = await page.evaluate(async () => {
    const names = [
      'geolocation',
      'notifications',
      'camera',
      'microphone',
      'midi',
      'clipboard-read',
      'persistent-storage',
    ];
    return Promise.all(
      names.map(async (name) => (await navigator.permissions.query({ name: name as PermissionName })).state),
    );
  });
  expect([...new Set(states)]).toEqual(['denied']);
  expect(await app.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(1);
});
