import { createMiddleware } from 'langchain';
import { z } from 'zod';
import { checkOptions, func } from '../../../base/check-options';
import { Todo } from '../../../contract/shared/todo';
import { writeTodosTool } from '../../tools/write-todos';
import description from '../prompts/write_todos.md?raw';

const todoState = z.object({
  /** The whole list as the model last wrote it. Undefined if it never did. */
  todos: z.array(Todo).optional(),
});

/** The plan: a list in the thread's state that the model rewrites and the UI shows. */
export function createTodoListMiddleware(
  options: {
    /** Called with each list that the model writes. */
    onChanged?: (todos: Todo[]) => void;
  } = {},
) {
  checkOptions('createTodoListMiddleware', options, { onChanged: func });
  return createMiddleware({
    name: 'todoList',
    stateSchema: todoState,
    tools: [writeTodosTool(description, (todos) => options.onChanged?.(todos))],
  });
}
