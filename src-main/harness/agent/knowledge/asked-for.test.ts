import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import { agentNote, skillNote, withAskedFor } from './asked-for';

const notes: Record<string, string> = {
  review: skillNote('review', '/skills/app/review/SKILL.md'),
  looker: agentNote('looker'),
};
const seen = (message: HumanMessage | AIMessage) =>
  withAskedFor([message], (name) => notes[name]).map((one) => one.text)[0];

describe('a skill or agent that the person requests by name', () => {
  it('adds a note for the model after their own words', () => {
    expect(seen(new HumanMessage('/review the last change'))).toBe(
      '/review the last change\n\n[The person asks for the skill review: read /skills/app/review/SKILL.md first, unless you have read it in this conversation, and follow it for what they wrote after its name.]',
    );
    expect(seen(new HumanMessage('/looker'))).toMatch(/subagent_type "looker"/u);
  });

  it('adds nothing if the name is unknown or not at the start', () => {
    for (const text of [
      '/unknown x',
      'please /review',
      '/reviewer x',
      '/ review',
      '/review/file.ts is odd',
      '',
    ])
      expect(seen(new HumanMessage(text))).toBe(text);
    expect(seen(new AIMessage('/review'))).toBe('/review');
  });

  it('leaves the saved message unchanged, and adds the note once', () => {
    const said = new HumanMessage({ id: 'm', content: '/review' });
    const once = withAskedFor([said], (name) => notes[name]);
    expect(said.content).toBe('/review');
    expect(once[0]?.id).toBe('m');
    expect(withAskedFor(once, (name) => notes[name])).toBe(once);
    const untouched = [new HumanMessage('hello')];
    expect(withAskedFor(untouched, (name) => notes[name])).toBe(untouched);
  });
});
