import { localCommand } from '../command.ts';
import { COMPLETION_SCRIPTS, SHELLS } from '../completion-scripts.ts';
import { EXIT } from '../exit-code.ts';
import { toChoice } from '../option-values.ts';

export const completion = localCommand({
  name: 'completion',
  usage: '<shell>',
  summary: `Print a completion script for a shell: ${SHELLS.join(', ')}.`,
  examples: [
    'source <(batchyard completion bash)',
    'batchyard completion fish > ~/.config/fish/completions/batchyard.fish',
  ],
  completion: [SHELLS],

  async run({ args, out }) {
    const shell = toChoice(SHELLS)(args[0] ?? '');
    const script = COMPLETION_SCRIPTS[shell];
    out.print({ shell, script }, script.trimEnd());
    return EXIT.ok;
  },
});
