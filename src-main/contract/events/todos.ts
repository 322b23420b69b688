import { z } from 'zod';
import { Todo } from '../shared/todo';
import { threadEvent } from '../thread-event';

export const todosEvents = [threadEvent('todos.changed', { todos: z.array(Todo) })] as const;
