import { tool } from '@langchain/core/tools';
import { type AgentMiddleware, createMiddleware } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ProfileError, toolNames } from '../profile';
import { middlewareWith } from './apply';
import { createHarnessProfile, type HarnessProfileOptions } from './profile';

const named = (name: string, description = name) =>
  tool(() => name, { name, description, schema: z.object({}) });
const layer = (name: string, ...tools: ReturnType<typeof named>[]): AgentMiddleware =>
  createMiddleware({ name, tools });
const under = (profile: HarnessProfileOptions, layers: readonly AgentMiddleware[]) =>
  middlewareWith(createHarnessProfile(profile), layers, []);

describe('middleware under a profile', () => {
  it('lacks an excluded tool, whoever added it, and other agents keep it [H50]', () => {
    const own = named('ls', 'A tool of the person.');
    const layers = [layer('files', named('ls'), named('glob')), layer('extra', own, named('other'))];
    expect(toolNames(under({ excludedTools: ['ls'] }, layers))).toEqual(['glob', 'other']);
    expect(toolNames(layers)).toEqual(['ls', 'glob', 'ls', 'other']);
  });

  it('changes the description of a tool for one agent only', async () => {
    const ls = named('ls');
    const [changed] = under({ toolDescriptionOverrides: { ls: 'Look around.' } }, [layer('files', ls)]);
    const [again] = changed?.tools ?? [];
    expect([again?.description, ls.description]).toEqual(['Look around.', 'ls']);
    expect(await (again as typeof ls).invoke({})).toBe('ls');
  });

  it('runs its hooks on the object itself if it is one of a class', async () => {
    class Counting {
      readonly name = 'Counting';
      readonly tools = [named('ls'), named('mine')];
      #requests = 0;
      get requests() {
        return this.#requests;
      }
      wrapModelCall() {
        this.#requests++;
      }
    }
    const counting = new Counting();
    const [changed] = under({ excludedTools: ['ls'] }, [counting as unknown as AgentMiddleware]);
    expect(changed?.tools?.map(({ name }) => name)).toEqual(['mine']);
    await (changed as unknown as Counting).wrapModelCall();
    expect(counting.requests).toBe(1);
  });

  it('is refused if the profile excludes an unknown tool, except a built-in one', () => {
    const layers = [layer('files', named('ls'))];
    expect(() => under({ excludedTools: ['sl'] }, layers)).toThrow(ProfileError);
    expect(toolNames(under({ excludedTools: ['task'] }, layers))).toEqual(['ls']);
  });
});
