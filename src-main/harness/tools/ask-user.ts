import { interrupt } from '@langchain/langgraph';
import { z } from 'zod';
import { Questions } from '../../contract/shared/questions';
import { defineTool, failure, success } from './define-tool';
import { askUser } from './descriptors/ask-user';
import { answersAsData } from './read-answers';

const Input = z.object({ questions: Questions });

/**
 * `ask_user`: interrupts the graph with `{ questions }`. Resume it with the answers as text, in the form that `readAnswers`
 * reads.
 */
export const askUserTool = (description: string) =>
  defineTool({
    name: askUser.name,
    description,
    schema: Input,
    run: async ({ questions }) => {
      const said = interrupt<{ questions: z.output<typeof Questions> }, unknown>({ questions });
      const text = typeof said === 'string' ? said : JSON.stringify(said);
      const answers = answersAsData(questions, text);
      return answers === null ? failure(`These are no answers to the questions: ${text}`) : success(answers);
    },
  });
