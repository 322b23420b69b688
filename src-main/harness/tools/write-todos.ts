import { ToolMessage } from '@langchain/core/messages';
import { type StructuredToolInterface, type ToolRuntime, tool } from '@langchain/core/tools';
import { Command } from '@langchain/langgraph';
import { z } from 'zod';
import { Todo } from '../../contract/shared/todo';
import { writeTodos } from './descriptors/write-todos';

const Input = z.object({ todos: z.array(Todo).describe('The full list. It replaces the previous list') });

/** Keeps the plan in the thread's state. `onChange` notifies the UI. */
export const writeTodosTool = (
  description: string,
  onChange: (todos: Todo[]) => void,
): StructuredToolInterface =>
  tool(
    async ({ todos }: z.output<typeof Input>, runtime: ToolRuntime) => {
      onChange(todos);
      return new Command({
        update: {
          todos,
          messages: [
            new ToolMessage({
              content: `Updated todo list to ${JSON.stringify(todos)}`,
              name: writeTodos.name,
              tool_call_id: runtime.toolCallId,
            }),
          ],
        },
      });
    },
    { name: writeTodos.name, description, schema: Input },
  ) as StructuredToolInterface;
