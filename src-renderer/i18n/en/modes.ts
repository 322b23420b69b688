/** Names of the approval modes. */
export const modes = {
  'auto-sandbox': 'Auto in the sandbox',
  'ask-risky': 'Ask before changes',
  'ask-all': 'Ask for everything',
  plan: 'Plan only',
};

/** What each mode does, after its name. */
export const modeHints = {
  'auto-sandbox': 'runs anything confined to this folder without asking',
  'ask-risky': 'read-only steps run, everything else needs approval',
  'ask-all': 'every step that reaches outside the thread needs approval',
  plan: 'the agent reads and plans but changes nothing',
};

/** The same in whole sentences. */
export const modeTexts = {
  'auto-sandbox':
    'Changes and commands that stay in this folder run without asking. Everything else needs approval.',
  'ask-risky': 'Reading runs without asking. You decide on every change before it reaches your folder.',
  'ask-all':
    "Every step that reaches outside the thread needs approval. Use it for a folder you don't trust.",
  plan: 'The agent reads and makes a plan. It changes nothing.',
};
