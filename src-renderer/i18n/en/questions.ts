/** The agent's questions to the person. */
export const questions = {
  heading: { one: 'The agent has a question', other: 'The agent has {count} questions' },
  headingOf: { one: '{agent} has a question', other: '{agent} has {count} questions' },
  what: 'Questions',
  several: 'one or more',
  answer: 'Your answer',
  ownAnswer: 'Your own words (optional)',
  send: { one: 'Send answer', other: 'Send {count} answers' },
  incomplete: 'Answer every question first.',
  declineWhy: 'Decline…',
  decline: 'Decline',
  declineMessage: 'Message for the agent (optional)',
  unanswered: 'No answer yet',
} as const;
