import { createMiddleware } from 'langchain';
import { fetchUrlTool } from '../../tools/fetch-url';
import type { PageNetwork } from '../../tools/web/page-network';
import description from '../prompts/fetch_url.md?raw';

/** Lets the model read web pages. `network`: for tests. */
export const createWebMiddleware = (network?: PageNetwork) =>
  createMiddleware({ name: 'web', tools: [fetchUrlTool(description, network)] });
