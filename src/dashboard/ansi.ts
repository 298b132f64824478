/**
 * Reads what programs write to terminals. Colours and weights become class names; every other
 * escape and control character is dropped, so that output can do nothing but be read.
 */
export interface Span {
  readonly text: string;
  /** Class names, or "". */
  readonly style: string;
}

export interface TerminalSink {
  text(text: string, style: string): void;
  newline(): void;
  /** What follows overwrites the line. */
  carriageReturn(): void;
  backspace(): void;
}

type Mode = 'text' | 'escape' | 'charset' | 'csi' | 'string' | 'string-escape';

interface Pen {
  fg: number | null;
  bg: number | null;
  readonly flags: Set<string>;
}

const FLAGS: Readonly<Record<number, string>> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  7: 'inverse',
  9: 'strike',
};
const CLEARS: Readonly<Record<number, readonly string[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  29: ['strike'],
};
/** Longer parameters are nonsense and are not kept. */
const LONGEST_CSI = 64;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what ends plain text
const PLAIN = /[^\u0000-\u0008\u000a-\u001f\u007f-\u009f]+/y;

/** One per stream: a sequence may be cut in two by the border of two chunks. */
export class TerminalReader {
  readonly #sink: TerminalSink;
  readonly #pen: Pen = { fg: null, bg: null, flags: new Set() };
  #mode: Mode = 'text';
  #params = '';
  #style = '';

  constructor(sink: TerminalSink) {
    this.#sink = sink;
  }

  read(text: string): void {
    let index = 0;
    while (index < text.length) {
      if (this.#mode === 'text') {
        PLAIN.lastIndex = index;
        const plain = PLAIN.exec(text)?.[0];
        if (plain !== undefined) {
          this.#sink.text(plain, this.#style);
          index += plain.length;
          continue;
        }
      }
      this.#step(text.charAt(index));
      index += 1;
    }
  }

  #step(char: string): void {
    switch (this.#mode) {
      case 'text':
        this.#control(char);
        break;
      case 'escape':
        this.#escape(char);
        break;
      case 'charset':
        this.#mode = 'text';
        break;
      case 'csi':
        this.#csi(char);
        break;
      case 'string':
        if (char === '\u0007' || char === '\u009c') this.#mode = 'text';
        else if (char === '\u001b') this.#mode = 'string-escape';
        break;
      case 'string-escape':
        this.#mode = char === '\\' ? 'text' : 'string';
    }
  }

  #control(char: string): void {
    if (char === '\n') this.#sink.newline();
    else if (char === '\r') this.#sink.carriageReturn();
    else if (char === '\b') this.#sink.backspace();
    else if (char === '\u001b') this.#mode = 'escape';
    else if (char === '\u009b') this.#begin();
    else if ('\u0090\u0098\u009d\u009e\u009f'.includes(char)) this.#mode = 'string';
  }

  #escape(char: string): void {
    if (char === '[') this.#begin();
    else if (']PX^_'.includes(char)) this.#mode = 'string';
    else if ('()*+-./ #%'.includes(char)) this.#mode = 'charset';
    else this.#mode = 'text';
  }

  #begin(): void {
    this.#mode = 'csi';
    this.#params = '';
  }

  #csi(char: string): void {
    if (char >= '@' && char <= '~') {
      this.#mode = 'text';
      if (char === 'm' && /^[\d;:]*$/.test(this.#params)) this.#paint(this.#params);
    } else if (char < ' ') {
      // A control character inside a sequence: the sequence was none. Lines must not be lost in it.
      this.#mode = 'text';
      this.#control(char);
    } else if (this.#params.length < LONGEST_CSI) {
      this.#params += char;
    }
  }

  #paint(params: string): void {
    const codes = params.split(/[;:]/).map(Number);
    for (let index = 0; index < codes.length; index += 1) {
      const code = codes[index] ?? 0;
      if (code === 38 || code === 48) {
        const [color, used] = findColor(codes.slice(index + 1));
        if (code === 38) this.#pen.fg = color ?? this.#pen.fg;
        else this.#pen.bg = color ?? this.#pen.bg;
        index += used;
      } else {
        paintOne(this.#pen, code);
      }
    }
    this.#style = toStyle(this.#pen);
  }
}

function paintOne(pen: Pen, code: number): void {
  const flag = FLAGS[code];
  if (code === 0) {
    pen.fg = null;
    pen.bg = null;
    pen.flags.clear();
  } else if (flag) pen.flags.add(flag);
  else if (CLEARS[code]) for (const name of CLEARS[code]) pen.flags.delete(name);
  else if (code >= 30 && code <= 37) pen.fg = code - 30;
  else if (code === 39) pen.fg = null;
  else if (code >= 40 && code <= 47) pen.bg = code - 40;
  else if (code === 49) pen.bg = null;
  else if (code >= 90 && code <= 97) pen.fg = code - 82;
  else if (code >= 100 && code <= 107) pen.bg = code - 92;
}

function toStyle({ fg, bg, flags }: Pen): string {
  const classes = [...flags].map((flag) => `ansi-${flag}`);
  if (fg !== null) classes.push(`ansi-fg-${fg}`);
  if (bg !== null) classes.push(`ansi-bg-${bg}`);
  return classes.join(' ');
}

/** Colours beyond the sixteen become the nearest of them: those are chosen to be readable. */
function findColor(codes: readonly number[]): [color: number | null, used: number] {
  if (codes[0] === 5) return [fromPalette(codes[1] ?? 0), 2];
  if (codes[0] === 2) return [nearest(codes[1] ?? 0, codes[2] ?? 0, codes[3] ?? 0), 4];
  return [null, 1];
}

function fromPalette(code: number): number {
  if (code < 16) return code;
  if (code > 231) {
    const grey = 8 + (code - 232) * 10;
    return nearest(grey, grey, grey);
  }
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  const cube = code - 16;
  return nearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6));
}

function nearest(red: number, green: number, blue: number): number {
  const brightest = Math.max(red, green, blue);
  const dullest = Math.min(red, green, blue);
  if (brightest - dullest < 40) {
    if (brightest < 64) return 0;
    if (brightest < 150) return 8;
    return brightest < 220 ? 7 : 15;
  }
  const middle = (brightest + dullest) / 2;
  const hue = (red > middle ? 1 : 0) + (green > middle ? 2 : 0) + (blue > middle ? 4 : 0);
  return hue + (brightest > 190 ? 8 : 0);
}
