import { createMiddleware } from 'langchain';
import { askUserTool } from '../../tools/ask-user';
import description from '../prompts/ask_user.md?raw';

/** Lets the model ask the person. */
export const createAskUserMiddleware = () =>
  createMiddleware({ name: 'askUser', tools: [askUserTool(description)] });
