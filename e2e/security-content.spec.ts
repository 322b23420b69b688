// security.md section 4: content from a model, a file or a program is shown, and does nothing else.
import { startAnthropic } from './providers/anthropic';
import { expect, test } from './support/app';
import { openSink } from './support/sink';
import { allow, chooseModel, composer, idle, messages, say, skipFirstRun } from './support/window';

/** Attempts of a model to break out of its message. `sink`: a URL that records requests. */
const payloads = (sink: string): string[] => [
  `![picture](${sink}/image.png) ![x](${sink}/image.svg "title") [![linked](${sink}/badge.png)](${sink}/badge)`,
  `<img src="${sink}/b.png" onerror="window.ran = 1"><script>window.ran = 1</script>`,
  `<script src="${sink}/s.js"></script><iframe src="${sink}/f"></iframe><object data="${sink}/o"></object>`,
  `<svg onload="window.ran = 1"><image href="${sink}/i.png"/><script>window.ran=1</script></svg>`,
  `<style>@import "${sink}/i.css"; body { background: url(${sink}/bg.png); display: none }</style>`,
  `<div style="background: url('${sink}/style.png'); position: fixed; inset: 0">cover</div>`,
  `<a href="javascript:window.ran=1" id="raw">raw</a><form action="${sink}/form"><button>send</button></form>`,
  `<details open ontoggle="window.ran=1"><summary>s</summary></details><video src="${sink}/v.mp4" autoplay></video>`,
  `<meta http-equiv="refresh" content="0;url=${sink}/meta"><base href="${sink}/"><link rel="stylesheet" href="${sink}/l.css">`,
  `[jslink](javascript:window.ran=1) [vblink](vbscript:msgbox) [datalink](data:text/html,<script>window.ran=1</script>)`,
  `[filelink](file:///etc/passwd) [smblink](smb://evil.example/share) [msdtlink](ms-msdt:/id) [codelink](vscode://file/etc)`,
  `[hidden](java\u0000script:window.ran=1) [encoded](&#106;avascript:window.ran=1) [caps](JaVaScRiPt:window.ran=1) [tab](java\tscript:window.ran=1)`,
  `<javascript:window.ran=1> <${sink}/autolink>`,
  `[reference][r] and ![referenced picture][p]\n\n[r]: javascript:window.ran=1 "t"\n[p]: ${sink}/reference.png`,
  `Footnote[^1]\n\n[^1]: ![f](${sink}/footnote.png) <img src=x onerror=window.ran=1>`,
  `| a | b |\n| --- | --- |\n| ![t](${sink}/table.png) | <img src=x onerror=window.ran=1> |`,
  '```mermaid\n%%{init: {"securityLevel": "loose", "theme": "base", "themeCSS": ".node { background: url(SINK/theme.png) }", "htmlLabels": true}}%%\nflowchart LR\n  A["<img src=x onerror=\'window.ran=1\'><b>label</b>"] --> B["<script>window.ran=1</script>"]\n  click A href "javascript:window.ran=1" _self\n  click B call alert()\n  style A fill:url(SINK/fill.png)\n```'.replaceAll(
    'SINK',
    sink,
  ),
  '```mermaid\nsequenceDiagram\n  participant A\n  link A: Board @ javascript:window.ran=1\n  A->>A: <img src=SINK/seq.png onerror=window.ran=1>\n```'.replaceAll(
    'SINK',
    sink,
  ),
  `$$\\href{javascript:window.ran=1}{click} \\url{javascript:window.ran=1} \\includegraphics{${sink}/katex.png}$$`,
  `$$\\htmlData{onclick=window.ran=1}{x} \\htmlStyle{background:url(${sink}/tex.png)}{y} \\def\\x{\\x\\x}\\x$$`,
  `Inline $\\href{${sink}/tex}{x}$ and $\\unicode{<img src=x onerror=window.ran=1>}$`,
  '```html\n<img src=x onerror="window.ran=1"><script>window.ran=1</script>\n```',
  `\`<img src=x onerror=window.ran=1>\` and ~~<b onclick=window.ran=1>~~`,
];

test("renders a model's output as text: no markup runs, nothing loads, no dialog opens [renderer 6]", async ({
  launchApp,
}) => {
  const sink = await openSink();
  const server = await startAnthropic(() => ({ text: [...payloads(sink.url), 'The end.'].join('\n\n') }));
  try {
    const { app, page } = await launchApp({
      env: { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url },
    });
    await page.evaluate(() => {
      const violations: string[] = [];
      Object.assign(window, { violations });
      document.addEventListener('securitypolicyviolation', (event) =>
        violations.push(`${event.effectiveDirective} ${event.blockedURI}`),
      );
    });
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await app.evaluate(({ shell, dialog }) => {
      const opened: string[] = [];
      const asked: string[] = [];
      Object.assign(globalThis, { noted: { opened, asked } });
      shell.openExternal = async (address) => void opened.push(address);
      dialog.showMessageBox = (async (...words: unknown[]) => {
        const options = words.at(-1) as Electron.MessageBoxOptions;
        asked.push(options.detail ?? '');
        return { response: 1, checkboxChecked: false };
      }) as typeof dialog.showMessageBox;
    });
    await skipFirstRun(page);
    await chooseModel(page, 'Anthropic', 'claude-test');
    await say(page, 'hello');
    await expect(messages(page)).toContainText('The end.');
    await idle(page);
    // Diagrams and formulas are drawn a little after the text.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 3_000 })));
    expect(dialogs).toEqual([]);
    expect(await app.evaluate(() => noted.asked)).toEqual([]);

    // Clicks every link in turn; those without a target do nothing.
    const links = messages(page).locator('a[href]');
    const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(hrefs.filter((href) => !/^(https?:|mailto:|#)/i.test(href))).toEqual([]);
    for (const link of await links.all()) await link.dispatchEvent('click');
    for (const name of [
      'jslink',
      'vblink',
      'datalink',
      'filelink',
      'smblink',
      'msdtlink',
      'codelink',
      'caps',
      'encoded',
    ])
      await messages(page).getByText(name, { exact: true }).first().click();
    const web = hrefs.filter((href) => /^https?:/.test(href)).length;
    expect(web).toBeGreaterThan(3);
    await expect.poll(() => app.evaluate(() => noted.opened.length)).toBe(web);
    const opened = await app.evaluate(() => noted.opened);
    expect(opened.filter((address) => !address.startsWith(`${sink.url}/`))).toEqual([]);
    expect(await page.evaluate(() => 'ran' in window)).toBe(false);
    expect(sink.requests).toEqual([]);
    // The window, and the hidden view that draws diagrams; nothing ran there either.
    const pages = await app.evaluate(({ webContents }) =>
      Promise.all(
        webContents
          .getAllWebContents()
          .map(async (one) => [one.getURL(), await one.executeJavaScript("'ran' in window")] as const),
      ),
    );
    expect(pages.toSorted()).toEqual([
      ['app://deepdesk/diagram.html', false],
      ['app://deepdesk/index.html', false],
    ]);
    // None of it even reached the page's policy: it is not in the page.
    const tags = await messages(page).evaluate((log) =>
      [
        ...log.querySelectorAll('script,iframe,object,embed,form,base,meta,link,video,foreignObject script'),
      ].map((element) => element.tagName),
    );
    expect(tags).toEqual([]);
    await expect(composer(page)).toBeVisible();
  } finally {
    await server.close();
    await sink.close();
  }
});

test('asks before it opens an address, and opens web and mail addresses only [renderer 8]', async ({
  launchApp,
}) => {
  const text = [
    '[web](https://good.example/a?b=c)',
    '[mail](mailto:someone@good.example)',
    '[user](https://bank.example@evil.example/)',
  ].join('\n\n');
  const server = await startAnthropic(() => ({ text }));
  try {
    const { app, page } = await launchApp({
      env: { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url },
    });
    await app.evaluate(({ shell, dialog }) => {
      const opened: string[] = [];
      const questions: typeof noted.questions = [];
      Object.assign(globalThis, { noted: { opened, questions, answer: 0 } });
      shell.openExternal = async (address) => void opened.push(address);
      dialog.showMessageBox = (async (...words: unknown[]) => {
        const { detail, defaultId } = words.at(-1) as Electron.MessageBoxOptions;
        questions.push({ detail, preset: defaultId });
        return { response: noted.answer, checkboxChecked: false };
      }) as typeof dialog.showMessageBox;
    });
    const told = () =>
      app.evaluate(() => {
        const { opened, questions } = noted;
        return { opened, asked: questions };
      });
    await skipFirstRun(page);
    await chooseModel(page, 'Anthropic', 'claude-test');
    await say(page, 'hello');
    const link = (name: string) => messages(page).getByRole('link', { name, exact: true });
    await link('web').click();
    // The default answer is no; the dialog shows the whole URL.
    await expect
      .poll(told)
      .toEqual({ opened: [], asked: [{ detail: 'https://good.example/a?b=c', preset: 0 }] });
    await app.evaluate(() => {
      noted.answer = 1;
    });
    await link('web').click();
    await expect.poll(async () => (await told()).opened).toEqual(['https://good.example/a?b=c']);
    await link('mail').click();
    await expect.poll(async () => (await told()).opened.length).toBe(2);
    expect((await told()).opened[1]).toBe('mailto:someone@good.example');
    await link('user').click();
    await expect.poll(async () => (await told()).asked.length).toBe(4);
    expect((await told()).asked.at(-1)).toEqual({ detail: 'https://bank.example@evil.example/', preset: 0 });
  } finally {
    await server.close();
  }
});

test('keeps terminal output away from the clipboard, the title and the input [renderer 16]', async ({
  sharedApp,
}) => {
  const { app, page } = sharedApp;
  await skipFirstRun(page);
  await app.evaluate(({ clipboard }) => clipboard.writeText('what the person copied'));
  const title = await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle());
  const printed = [
    String.raw`\033]52;c;ZXZpbA==\007`,
    String.raw`\033]52;c;?\007`,
    String.raw`\033]0;evil\007\033]2;evil\033\\`,
    String.raw`\033]8;;file:///etc/passwd\007a file\033]8;;\007`,
    String.raw`\033P$q"p\033\\`,
    String.raw`\033[21t\033[14t\033[18t`,
    String.raw`\033]11;?\007\033]4;1;?\007`,
    String.raw`\005`,
  ].join('');
  // The command would read a reply within the seconds that it waits. It writes a file, so that it asks even where read-only
  // commands run in the sandbox first.
  await say(
    page,
    `run for i in $(seq 200); do printf '${printed}'; done; IFS= read -r -s -t 2 -n 1 answer; printf 'typed:[%q]\\n' "$answer" | tee typed.txt`,
  );
  await allow(page);
  await idle(page);
  await page.getByRole('button', { name: /^Ran/ }).first().click();
  await expect(messages(page)).toContainText("typed:['']");
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe('what the person copied');
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle())).toBe(title);
});
