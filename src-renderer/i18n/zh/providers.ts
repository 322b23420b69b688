import type { providers as en } from '../en/providers';
import type { Same } from '../types';

export const providers: Same<typeof en> = {
  offline: '离线助手',
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  'google-genai': 'Google Gemini',
  ollama: 'Ollama',
  'openai-compatible': 'OpenAI 兼容服务',
};
