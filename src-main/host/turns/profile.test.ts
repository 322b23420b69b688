import { HumanMessage } from '@langchain/core/messages';
import { expect, it } from 'vitest';
import { createGate } from '../../approvals/gate';
import { BUILT_IN_TOOLS } from '../../harness/agent/built-in-tools';
import { ProfileError } from '../../harness/agent/profile';
import { memoryBackend } from '../../harness/agent/testing/memory-backend';
import { ScriptedModel } from '../../harness/agent/testing/scripted-model';
import { createThreadAgent } from './run/thread-agent';

class Offered extends ScriptedModel {
  constructor(private readonly names: string[]) {
    super(() => ({ text: 'Done.' }));
  }
  override bindTools(tools: readonly unknown[] = []): this {
    this.names.push(...tools.map((one) => (one as { name: string }).name));
    return this;
  }
}

it("knows the harness's own tools by name", async () => {
  const offered: string[] = [];
  const nothing = () => {};
  const backend = memoryBackend(new Map(), async () => ({ output: '', exitCode: 0, truncated: false }));
  const make = (excludedTools: string[]) =>
    createThreadAgent({
      model: new Offered(offered),
      systemPrompt: '',
      backend,
      gate: createGate({ places: { folder: '/', memories: '/memories' }, backend, timeoutSeconds: 5 }),
      journal: {
        begin: nothing,
        forget: () => undefined,
        isUnfinished: () => false,
        finish: nothing,
        resultOf: () => undefined,
      },
      observer: {
        modelStarted: nothing,
        modelDelta: nothing,
        modelEnded: nothing,
        modelFailed: nothing,
        approvalRequested: nothing,
        toolStarted: nothing,
        toolEnded: nothing,
        todosChanged: nothing,
      },
      isIncomplete: () => false,
      threadId: 't',
      context: {},
      profileOf: () => ({ excludedTools }),
    });
  await make([]).graph.invoke({ messages: [new HumanMessage('go')] });
  // This backend has no jobs, and this thread no remote agents.
  const absent = /^(list_jobs|job_output|stop_job|\w+_async_tasks?)$/;
  const names = BUILT_IN_TOOLS.map(({ name }) => name);
  expect(offered.toSorted()).toEqual(names.filter((name) => !absent.test(name)).toSorted());
  // Excluding what is not offered has no effect.
  offered.length = 0;
  await make(names).graph.invoke({ messages: [new HumanMessage('go')] });
  expect(offered).toEqual([]);
  expect(() => make(['no_such_tool'])).toThrow(ProfileError);
});
