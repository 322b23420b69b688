/** Names of the providers of models, by id. */
export const providers = {
  offline: 'Offline assistant',
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  'google-genai': 'Google Gemini',
  ollama: 'Ollama',
  'openai-compatible': 'OpenAI-compatible',
};
