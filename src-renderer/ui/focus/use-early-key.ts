import { useEffect, useRef } from 'react';

/**
 * For a list that keeps its rows until the answer to what was typed arrives. Returns a function that takes a key which came
 * before that answer: `act` gets it once the answer is there, unless the text changes first.
 */
export function useEarlyKey<K>(typed: string, isAnswered: boolean, act: (key: K) => void): (key: K) => void {
  const early = useRef<{ typed: string; key: K }>(undefined);
  useEffect(() => {
    const due = early.current;
    if (due === undefined || (due.typed === typed && !isAnswered)) return;
    early.current = undefined;
    if (due.typed === typed) act(due.key);
  });
  return (key) => {
    early.current = { typed, key };
  };
}
