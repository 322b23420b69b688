// security.md section 4: what a page can load, send and open.
import { createSocket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, makeFolder, test } from './support/app';
import { openSink } from './support/sink';
import { composer } from './support/window';

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
