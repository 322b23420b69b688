import type { ThreadState } from '../../../contract/conversation';
import { callLine, type Part, partsOf, stamp, titleOf } from './parts';

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);

/** Renders only code in backticks and bold text. Links stay text: the page leads nowhere. */
const inline = (text: string) =>
  escaped(text)
    .replace(/`([^`\n]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*\n]+)\*\*/g, '<strong>$1</strong>');

/** Renders fences, headings and paragraphs of Markdown. Everything is escaped first. */
function prose(text: string): string {
  const out: string[] = [];
  let lines: string[] = [];
  let code: { fence: string; lines: string[] } | undefined;
  const close = () => {
    if (lines.length > 0) out.push(`<p>${lines.map(inline).join('<br>')}</p>`);
    lines = [];
  };
  for (const line of text.split('\n')) {
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (code) {
      if (fence?.startsWith(code.fence) === true && line.trim() === fence) {
        out.push(`<pre>${escaped(code.lines.join('\n'))}</pre>`);
        code = undefined;
      } else code.lines.push(line);
      continue;
    }
    const heading = /^(#{1,6}) +(.*)$/.exec(line);
    if (fence !== undefined) {
      close();
      code = { fence, lines: [] };
    } else if (heading) {
      close();
      out.push(`<h3>${inline(heading[2] ?? '')}</h3>`);
    } else if (line.trim() === '') close();
    else lines.push(line);
  }
  if (code) out.push(`<pre>${escaped(code.lines.join('\n'))}</pre>`);
  close();
  return out.join('\n');
}

function partHtml(part: Part): string {
  switch (part.kind) {
    case 'user':
      return `<article class="user"><h2>You <time>${stamp(part.at)}</time></h2><p class="said">${escaped(part.text)}</p></article>`;
    case 'note':
      return `<aside>${prose(part.text)}</aside>`;
    case 'agent': {
      const thought =
        part.reasoning === ''
          ? ''
          : `<details><summary>Reasoning</summary><pre>${escaped(part.reasoning)}</pre></details>`;
      return `<article class="${part.depth === 0 ? 'agent' : 'agent inner'}"><h2>${part.depth === 0 ? 'Agent' : 'Sub-agent'} <time>${stamp(part.at)}</time></h2>${thought}${prose(part.text)}</article>`;
    }
    case 'call': {
      const { name, object, state } = callLine(part.call);
      const { args, result } = part.call;
      const shown = result === undefined || result === '' ? '' : `<pre>${escaped(result)}</pre>`;
      return `<details class="call${part.depth === 0 ? '' : ' inner'}"><summary><b>${escaped(name)}</b> <code>${escaped(object.slice(0, 200))}</code> <span>${escaped(state)}</span></summary><pre>${escaped(JSON.stringify(args, null, 2))}</pre>${shown}</details>`;
    }
    default:
      return part satisfies never;
  }
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.3rem; } h2 { font-size: .8rem; opacity: .7; margin: 0 0 .3rem; } h3 { font-size: 1rem; }
time, summary span { font-weight: normal; opacity: .7; }
article, details, aside { margin: 1rem 0; }
.user { border: 1px solid #8886; border-radius: 8px; padding: .6rem .9rem; }
.said, pre { white-space: pre-wrap; margin: 0; }
pre { background: #8881; border-radius: 6px; padding: .6rem .8rem; font: .82rem/1.45 ui-monospace, monospace; margin: .5rem 0; }
code { font: .85em ui-monospace, monospace; }
aside { border-left: 3px solid #8886; padding-left: .8rem; }
.inner { margin-left: 1.5rem; }
`;

/** The conversation as one HTML page that loads nothing, runs nothing and has no links. */
export function htmlOf(state: ThreadState): string {
  const { thread, messages } = state;
  const title = escaped(titleOf(state));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${title}</h1>
<p>Model ${escaped(thread.model)}, started ${stamp(thread.createdAt)}.</p>
${partsOf(messages).map(partHtml).join('\n')}
</body>
</html>
`;
}
