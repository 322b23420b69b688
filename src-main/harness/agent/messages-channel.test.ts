import { AIMessage, type BaseMessage, HumanMessage, RemoveMessage } from '@langchain/core/messages';
import { messagesStateReducer, REMOVE_ALL_MESSAGES } from '@langchain/langgraph';
import { describe, expect, it } from 'vitest';
import { appendMessages } from './messages-channel';

const said = (id: string, text = id) => new HumanMessage({ id, content: text });
const start = () => appendMessages([], [said('a'), said('b')]);

describe('the messages channel', () => {
  it.each<[string, () => BaseMessage[]]>([
    ['a new message', () => [said('c')]],
    ['several', () => [said('c'), said('d')]],
    ['one of an id that is there', () => [said('a', 'anew'), said('c')]],
    ['the same id twice', () => [said('c'), said('c', 'anew')]],
    ['a removal', () => [new RemoveMessage({ id: 'a' })]],
    ['a new beginning', () => [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), said('z')]],
    ['more than a few', () => Array.from({ length: 20 }, (_, index) => said(`m${index}`))],
    ['none', () => []],
  ])('matches LangGraph: %s', (_, more) => {
    const left = start();
    const added = more();
    expect(appendMessages(left, added)).toEqual(messagesStateReducer(left, added));
  });

  it.each<[string, () => BaseMessage[]]>([
    ['read from a checkpoint', () => [said('a'), said('b')]],
    ['with the same id twice', () => [said('a'), said('a', 'again')]],
    ['with a removal', () => [said('a'), new RemoveMessage({ id: 'b' })]],
    ['that is empty', () => []],
  ])('matches LangGraph for a list %s', (_, list) => {
    const left = list();
    for (const added of [[said('c')], [said('a', 'anew')]])
      expect(appendMessages(left, added)).toEqual(messagesStateReducer(left, added));
  });

  it('adds missing ids to a list that was read', () => {
    const [one, two] = appendMessages([new HumanMessage('no id')], [said('c')]);
    expect(one?.id).toMatch(/./);
    expect(two?.id).toBe('c');
  });

  it('accepts a single message, strings and plain messages as LangGraph does, and adds missing ids', () => {
    const one = appendMessages(start(), said('c'));
    expect(one.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    const words = appendMessages(one, ['hello', { role: 'assistant', content: 'hi' }]);
    expect(words.slice(3)).toMatchObject([{ content: 'hello' }, { content: 'hi' }]);
    expect(
      words.slice(3).map((message) => [HumanMessage.isInstance(message), AIMessage.isInstance(message)]),
    ).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(new Set(words.map(({ id }) => id)).size).toBe(5);
    expect(() => appendMessages(words, new RemoveMessage({ id: 'nobody' }))).toThrow('nobody');
  });

  it('leaves both lists unchanged', () => {
    const left = start();
    const more = [said('c')];
    const made = appendMessages(left, more);
    expect([left.length, more.length, made.length]).toEqual([2, 1, 3]);
    expect([made[0], made[2]]).toEqual([left[0], more[0]]);
  });
});
