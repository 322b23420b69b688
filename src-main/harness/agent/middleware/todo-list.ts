import { createMiddleware } from 'langchain';
import { z } from 'zod';
import { Todo } from '../../../contract/shared/todo';
import { writeTodosTool } from '../../tools/write-todos';
import type { AgentObserver, AgentRef } from '../observer';
import description from '../prompts/write_todos.md?raw';

const todoState = z.object({ todos: z.array(Todo).optional() });

/** The plan: a list in the thread's state that the model rewrites and the window shows. */
export function createTodoListMiddleware(options: { agent: AgentRef; observer: AgentObserver }) {
  const { agent, observer } = options;
  return createMiddleware({
    name: 'todoList',
    stateSchema: todoState,
    tools: [writeTodosTool(description, (todos) => observer.todosChanged(agent, todos))],
  });
}
