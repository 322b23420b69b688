import { createMiddleware } from 'langchain';
import { fetchUrlTool } from '../../tools/fetch-url';
import type { ReadPageOptions } from '../../tools/web/read-page';
import description from '../prompts/fetch_url.md?raw';

/** Lets the model read web pages. */
export const createWebMiddleware = (options: Omit<ReadPageOptions, 'signal'> = {}) =>
  createMiddleware({ name: 'web', tools: [fetchUrlTool(description, options)] });
