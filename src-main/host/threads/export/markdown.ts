import type { ThreadState } from '../../../contract/conversation';
import { fenced } from '../../../contract/shared/fenced';
import { callLine, type Part, partsOf, stamp, titleOf } from './parts';

const inline = (text: string) => text.replace(/\s+/gu, ' ').replaceAll('`', 'ˋ').slice(0, 200);
const quoted = (text: string) => text.replace(/^/gmu, '> ');

function partText(part: Part): string {
  switch (part.kind) {
    case 'user':
      return `## You, ${stamp(part.at)}\n\n${part.text}`;
    case 'note':
      return quoted(part.text);
    case 'agent': {
      const head = part.depth === 0 ? `## Agent, ${stamp(part.at)}` : `#### Sub-agent, ${stamp(part.at)}`;
      const thought =
        part.reasoning === ''
          ? []
          : [`<details><summary>Reasoning</summary>\n\n${fenced(part.reasoning, 'text')}\n\n</details>`];
      return [head, ...thought, ...(part.text === '' ? [] : [part.text])].join('\n\n');
    }
    case 'call': {
      const { name, object, state } = callLine(part.call);
      const line = `- **${name}** ${object === '' ? '' : `\`${inline(object)}\` `}(${state})`;
      const { args, result } = part.call;
      const details = [fenced(JSON.stringify(args, null, 2), 'json')];
      if (result !== undefined && result !== '') details.push(fenced(result, 'text'));
      return `${line}\n\n<details><summary>Arguments and result</summary>\n\n${details.join('\n\n')}\n\n</details>`;
    }
    default:
      return part satisfies never;
  }
}

/** The conversation as Markdown: the text unchanged, and each call folded with its arguments and result. */
export function markdownOf(state: ThreadState): string {
  const { thread, messages } = state;
  const head = `# ${titleOf(state).replace(/\s+/gu, ' ')}\n\nModel ${thread.model}, started ${stamp(thread.createdAt)}.`;
  return `${[head, ...partsOf(messages).map(partText)].join('\n\n')}\n`;
}
