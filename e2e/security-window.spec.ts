// security.md section 4: the window, the APIs of its page, where it can navigate, and what it can load.
import { createSocket } from 'node:dgram';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, makeFolder, test } from './support/app';
import { answerConfirmations, askedOutside } from './support/confirmations';
import { processTree } from './support/processes';
import { currentRun } from './support/run';
import { openSink } from './support/sink';
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

test('loads and runs only what the app ships, and reports each attempt as a violation [renderer 5]', async ({
  sharedApp,
}) => {
  const sink = await openSink();
  try {
    const { page } = sharedApp;
    await expect(composer(page)).toBeVisible();
    const tried = await page.evaluate(async (url) => {
      const violations: string[] = [];
      Object.assign(window, { violations });
      document.addEventListener('securitypolicyviolation', (event) =>
        violations.push(event.effectiveDirective),
      );
      const add = (tag: string, attributes: Record<string, string>, text = '') => {
        const element = document.createElement(tag);
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
        element.textContent = text;
        document.body.append(element);
      };
      add('script', {}, 'window.inlineRan = true');
      add('script', { src: `${url}/remote.js` });
      add('script', { src: 'data:text/javascript,window.dataRan=true' });
      add('iframe', { src: 'data:text/html,<script>parent.frameRan=true</script>' });
      add('iframe', { src: `${url}/frame` });
      add('iframe', { srcdoc: '<script>parent.srcdocRan=true</script>' });
      add('object', { data: `${url}/object` });
      add('embed', { src: `${url}/embed` });
      add('img', { src: `${url}/image.png` });
      add('img', { src: 'x', onerror: 'window.handlerRan = true' });
      add('video', { src: `${url}/video.mp4` });
      add('link', { rel: 'stylesheet', href: `${url}/style.css` });
      add('link', { rel: 'prefetch', href: `${url}/prefetch` });
      add('style', {}, `@import url("${url}/import.css"); body { background: url("${url}/background.png") }`);
      add('base', { href: url });
      // Not eval itself: code from the inspector may use it. A timer's text runs as the page's own.
      setTimeout('window.evalRan = true', 0);
      const works = (work: () => unknown) =>
        Promise.resolve()
          .then(work)
          .then(
            () => true,
            () => false,
          );
      const reached = {
        fetch: await works(() => fetch(`${url}/fetch`, { mode: 'no-cors' })),
        file: await works(() => fetch('file:///etc/passwd')),
        beacon: navigator.sendBeacon(`${url}/beacon`),
        worker: await works(
          () =>
            new Promise((resolve, reject) => {
              const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(1)'])));
              worker.onmessage = resolve;
              worker.onerror = reject;
            }),
        ),
        socket: await works(
          () =>
            new Promise((resolve, reject) => {
              const socket = new WebSocket(url.replace('http', 'ws'));
              socket.onopen = resolve;
              socket.onerror = reject;
            }),
        ),
      };
      return { ...reached, beacon: 'seen at the sink' };
    }, sink.url);
    expect(tried).toEqual({
      fetch: false,
      file: false,
      beacon: 'seen at the sink',
      worker: false,
      socket: false,
    });
    await expect
      .poll(() =>
        page.evaluate(() => [...new Set((window as Window & { violations?: string[] }).violations)].sort()),
      )
      .toEqual(
        expect.arrayContaining([
          'base-uri',
          'connect-src',
          'frame-src',
          'img-src',
          'media-src',
          'object-src',
          'script-src',
          'script-src-attr',
          'script-src-elem',
          'style-src-elem',
          'worker-src',
        ]),
      );
    const ran = await page.evaluate(() =>
      ['inlineRan', 'dataRan', 'frameRan', 'srcdocRan', 'handlerRan', 'evalRan'].filter(
        (name) => name in window,
      ),
    );
    expect(ran).toEqual([]);
    expect(sink.requests).toEqual([]);
  } finally {
    await sink.close();
  }
});

test('opens no socket through WebRTC, beacons, WebTransport or connection hints [renderer 5, safety 28]', async ({
  launchApp,
}) => {
  const packets: string[] = [];
  const udp = createSocket('udp4').on('message', (bytes) => packets.push(`udp ${bytes.length}`));
  const tcp = createServer((socket) => {
    packets.push('tcp');
    socket.destroy();
  });
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  try {
    const { page } = await launchApp();
    await expect(composer(page)).toBeVisible();
    const tcpPort = (tcp.address() as AddressInfo).port;
    const state = await page.evaluate(
      async ([udpPort, port]) => {
        const url = `http://127.0.0.1:${port}`;
        const hint = (rel: string) => {
          const link = Object.assign(document.createElement('link'), { rel, href: `${url}/${rel}` });
          document.head.append(link);
        };
        for (const rel of [
          'preconnect',
          'dns-prefetch',
          'prefetch',
          'preload',
          'modulepreload',
          'prerender',
          'icon',
        ])
          hint(rel);
        navigator.sendBeacon(`${url}/beacon`, 'secret');
        const quietly = async (work: () => unknown) => {
          try {
            await work();
          } catch {
            // Blocked, as expected.
          }
        };
        const transport: unknown = Reflect.get(window, 'WebTransport');
        if (typeof transport === 'function')
          void quietly(() => Reflect.construct(transport, [`https://127.0.0.1:${udpPort}/`]).ready);
        void quietly(() => new EventSource(`${url}/events`));
        void quietly(() => new WebSocket(`ws://127.0.0.1:${port}`));
        const link = Object.assign(document.createElement('a'), { href: '#x', ping: `${url}/ping` });
        document.body.append(link);
        link.click();
        const own = new RTCPeerConnection({
          iceServers: [
            { urls: `stun:127.0.0.1:${udpPort}` },
            { urls: `turn:127.0.0.1:${udpPort}?transport=udp`, username: 'secret', credential: 'x' },
            { urls: `turn:127.0.0.1:${port}?transport=tcp`, username: 'secret', credential: 'x' },
            { urls: `turns:127.0.0.1:${port}?transport=tcp`, username: 'secret', credential: 'x' },
          ],
        });
        const candidates: string[] = [];
        own.onicecandidate = ({ candidate }) => candidate && candidates.push(candidate.candidate);
        own.createDataChannel('x');
        const gathered = new Promise<void>((resolve) => {
          own.onicegatheringstatechange = () => own.iceGatheringState === 'complete' && resolve();
        });
        await own.setLocalDescription(await own.createOffer());
        // A peer connected by hand, as a script would do it, without a server.
        const other = new RTCPeerConnection();
        await other.setRemoteDescription(own.localDescription ?? { type: 'offer', sdp: '' });
        await other.setLocalDescription(await other.createAnswer());
        await own.setRemoteDescription(other.localDescription ?? { type: 'answer', sdp: '' });
        for (const kind of [
          `udp 1 127.0.0.1 ${udpPort} typ host`,
          `tcp 1 127.0.0.1 ${port} typ host tcptype passive`,
        ])
          await own
            .addIceCandidate({ candidate: `candidate:1 1 ${kind}`, sdpMid: '0', sdpMLineIndex: 0 })
            .catch(() => undefined);
        await gathered;
        return { candidates, state: own.iceGatheringState };
      },
      [udp.address().port, tcpPort] as const,
    );
    expect(state).toEqual({ candidates: [], state: 'complete' });
    // Connection checks are sent every few tens of milliseconds once gathering has finished.
    await page.waitForTimeout(2_000);
    expect(packets).toEqual([]);
  } finally {
    udp.close();
    tcp.close();
  }
});

test('blocks every navigation and every new window [renderer 7]', async ({ launchApp }) => {
  const sink = await openSink();
  try {
    const { app, page } = await launchApp();
    await expect(composer(page)).toBeVisible();
    const address = page.url();
    const folder = makeFolder('dropped');
    const dropped = join(folder, 'dropped.html');
    writeFileSync(dropped, '<title>dropped</title>');
    // Evaluates through the main process: Playwright waits forever for a blocked navigation.
    const inPage = (script: string): Promise<unknown> =>
      app.evaluate(
        ({ webContents }, text) => webContents.getAllWebContents()[0]?.executeJavaScript(text),
        script,
      );
    // While one page replaces another, there is none to query.
    const place = () =>
      inPage(`location.href + ' ' + (document.querySelector('textarea') !== null)`).catch(() => 'no page');
    for (const target of [
      `${sink.url}/location`,
      'file:///etc/passwd',
      'data:text/html,x',
      'app://deepdesk/other.html',
      'chrome://version',
    ]) {
      await inPage(`void setTimeout(() => { location.href = ${JSON.stringify(target)} }, 0)`);
      await expect.poll(place).toBe(`${address} true`);
    }
    // An empty page opens without a question; the app's page, reloaded, replaces it immediately.
    await inPage(`void (window.isOld = true, setTimeout(() => { location.href = 'about:blank' }, 0))`);
    await expect.poll(() => inPage('window.isOld ?? null').catch(() => true)).toBe(null);
    await expect.poll(place).toBe(`${address} true`);
    const tryAll = (url: string) => {
      const windows = [
        window.open(url),
        window.open('about:blank'),
        window.open('app://deepdesk/index.html', 'x', 'width=9'),
      ];
      const meta = document.createElement('meta');
      meta.httpEquiv = 'refresh';
      meta.content = `0;url=${url}/meta`;
      document.head.append(meta);
      const form = document.createElement('form');
      form.action = `${url}/form`;
      form.method = 'post';
      document.body.append(form);
      form.submit();
      for (const [target, event] of [
        ['_self', new MouseEvent('click')],
        ['_blank', new MouseEvent('click')],
        ['_top', new MouseEvent('click', { ctrlKey: true })],
        ['', new MouseEvent('auxclick', { button: 1 })],
      ] as const) {
        const link = document.createElement('a');
        link.href = `${url}/link`;
        link.target = target;
        document.body.append(link);
        link.dispatchEvent(event);
        link.click();
      }
      const download = document.createElement('a');
      download.href = `${url}/download`;
      download.download = 'x';
      download.click();
      return windows.filter((found) => found !== null).length;
    };
    expect(await inPage(`(${String(tryAll)})(${JSON.stringify(sink.url)})`)).toBe(0);
    // Real clicks, and a file dropped from the desktop.
    await inPage(`{
      const link = document.createElement('a');
      link.href = ${JSON.stringify(`${sink.url}/middle`)};
      link.style.cssText = 'position:fixed;left:0;top:0;width:90px;height:90px;z-index:9999';
      document.body.append(link);
    }`);
    const session = await page.context().newCDPSession(page);
    for (const [button, modifiers] of [
      ['middle', 0],
      ['left', 2],
      ['left', 8],
      ['left', 0],
    ] as const) {
      for (const type of ['mousePressed', 'mouseReleased'] as const)
        await session.send('Input.dispatchMouseEvent', {
          type,
          x: 40,
          y: 40,
          button,
          modifiers,
          clickCount: 1,
        });
    }
    const data = { items: [], files: [dropped], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await session.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
    expect(await place()).toBe(`${address} true`);
    expect(await inPage('document.title')).toBe('Deepdesk');
    expect(await app.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(1);
    expect(sink.requests).toEqual([]);
  } finally {
    await sink.close();
  }
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

test("serves only the app's own files under the app's URLs [renderer 10]", async ({ launchApp }) => {
  const { app, page, dataDir } = await launchApp();
  await expect(composer(page)).toBeVisible();
  const canary = join(dataDir, 'canary.html');
  writeFileSync(canary, 'CANARY');
  // The path corpus as URLs; `%2e%2e` and `%5c` are forms that a page can write itself.
  const up = '../'.repeat(12);
  const encoded = '%2e%2e%2f'.repeat(12);
  const paths = [
    `${up}${canary}`,
    `${encoded}${canary.slice(1)}`,
    `${'%2e%2e/'.repeat(12)}${canary.slice(1)}`,
    `${'..%2f'.repeat(12)}${canary.slice(1)}`,
    `${'..%5c'.repeat(12)}${canary.slice(1)}`,
    `${'%252e%252e%252f'.repeat(12)}${canary.slice(1)}`,
    `${'..;/'.repeat(12)}${canary.slice(1)}`,
    `${'%c0%ae%c0%ae/'.repeat(12)}${canary.slice(1)}`,
    `/${canary}`,
    `%2f${canary.slice(1)}`,
    `assets/${up}${canary.slice(1)}`,
    `~/${canary}`,
    '~root/.bashrc',
    '$HOME/.bashrc',
    'C:/Windows/win.ini',
    'C:%5cWindows%5cwin.ini',
    '%5c%5csrv%5cs%5cx',
    'index.html%00.png',
    'index.html::$DATA',
    'index.html%20',
    'index.html.',
    'index.html/',
    '..',
    '%2e%2e',
    '%2e%2e/main/index.js',
    '../main/index.js',
    '%2e%2e/package.json',
    '%2e%2e/renderer/../main/index.js',
    '%ff',
    '%',
    'assets',
    'assets/',
    '',
    `${'a'.repeat(5_000)}.html`,
  ];
  const addresses = [
    ...paths.map((path) => `app://deepdesk/${path}`),
    `app://other/index.html`,
    `app://deepdesk.evil.example/index.html`,
    `app://${canary}`,
    `app:${canary}`,
    `app:///${canary}`,
    `app://user:pass@other/index.html`,
  ];
  const answers = await app.evaluate(async ({ net }, urls) => {
    const one = async (url: string) => {
      try {
        const response = await net.fetch(url);
        return { status: response.status, text: await response.text() };
      } catch (error) {
        return { status: 0, text: String(error) };
      }
    };
    return Promise.all(urls.map(one));
  }, addresses);
  const index = await app.evaluate(async ({ net }) => (await net.fetch('app://deepdesk/index.html')).status);
  expect(index).toBe(200);
  const served = addresses.filter((_, at) => answers[at]?.status === 200);
  expect(served).toEqual([]);
  expect(answers.filter(({ text }) => /CANARY|root:|createHost|"dependencies"/.test(text))).toEqual([]);
  const headers = await app.evaluate(async ({ net }) => {
    const response = await net.fetch('app://deepdesk/index.html');
    return [response.headers.get('content-security-policy'), response.headers.get('x-content-type-options')];
  });
  expect(headers).toEqual([expect.stringContaining("default-src 'none'"), 'nosniff']);
});
