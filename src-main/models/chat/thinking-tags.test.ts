import { expect, it } from 'vitest';
import { ThinkingTags } from './thinking-tags';

/** The reasoning and the answer, however the text is cut into pieces. */
function split(text: string, size: number) {
  const tags = new ThinkingTags();
  let reasoning = '';
  let content = '';
  const add = (part: { reasoning: string; content: string }) => {
    reasoning += part.reasoning;
    content += part.content;
  };
  for (let at = 0; at < text.length; at += size) add(tags.take(text.slice(at, at + size)));
  add(tags.end());
  return [reasoning, content];
}

it.each([
  ['<think>I look.</think>\n\nTwo files.', 'I look.', 'Two files.'],
  ['\n<think>\nI look.\n</think>Two <think>files</think>.', '\nI look.\n', 'Two <think>files</think>.'],
  ['Two files.', '', 'Two files.'],
  ['  Two files.', '', '  Two files.'],
  ['<thin air', '', '<thin air'],
  ['<thi', '', '<thi'],
  ['<think>', '', ''],
  ['<think>cut off </thi', 'cut off </thi', ''],
  ['<think>1 </ 2 <</think> done', '1 </ 2 <', 'done'],
  ['', '', ''],
])('reads %j in pieces of any size', (text, reasoning, content) => {
  for (const size of [1, 2, 3, 5, 8, 1_000])
    expect([size, ...split(text, size)]).toEqual([size, reasoning, content]);
});
