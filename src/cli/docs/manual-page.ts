/** The manual page of the program, in the language of man, from what --help is made of. */
import type { CommandSpec, OptionSpec } from '../commands/command.ts';
import { commandsUnder } from '../commands/tree.ts';
import { optionHelp, usageOf, wordHelp } from '../messages/help.ts';
import { sharedOptions } from './commands.ts';

export function manualPage(): string {
  const sections = [...new Set(commandsUnder().map(({ section }) => section))];
  const lines = [
    '.TH MACRO 1',
    '.SH NAME',
    'macro \\- macroeconomic data of the major currencies: asked, mirrored, served',
    '.SH SYNOPSIS',
    '.B macro',
    '.I COMMAND\n[options]',
    '.SH OPTIONS THAT MANY COMMANDS SHARE',
    ...sharedOptions().flatMap(optionLines),
    ...sections.flatMap((section) => [
      `.SH ${roff(section.toUpperCase())}`,
      ...commandsUnder()
        .filter((command) => command.section === section)
        .flatMap(described),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function optionLines(option: OptionSpec): readonly string[] {
  const { name, short, value } = option;
  const spelled = `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
  return ['.TP', `.B ${roff(spelled)}`, roff(optionHelp(option))];
}

function described(command: CommandSpec): readonly string[] {
  const shared = new Set(sharedOptions().map(optionHelp));
  return [
    `.SS macro ${roff([...command.path, usageOf(command)].join(' '))}`,
    `${roff(command.summary)}.`,
    ...command.words.flatMap((word) => ['.TP', `.I ${roff(word.name.toUpperCase())}`, roff(wordHelp(word))]),
    ...command.options.filter((option) => !shared.has(optionHelp(option))).flatMap(optionLines),
    '.PP',
    'Examples:',
    '.nf',
    ...command.examples.map((example) => `  ${roff(`macro ${example}`)}`),
    '.fi',
  ];
}

/** A dash is a minus as it is typed, and no text begins a request of the language. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1');
}
