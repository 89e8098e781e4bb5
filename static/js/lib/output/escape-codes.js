/**
 * Parses printed text with control characters and escape sequences (ECMA-48). The text may arrive in pieces of any size.
 *
 * The runner replaces control characters by their Unicode pictures (␛ for escape), so that its output controls no terminal. This parser
 * accepts both forms. A sequence that is unknown, too long or unfinished at the end of its line is dropped; no other text is.
 */

/**
 * @typedef {object} Sink  receives what was parsed
 * @property {(text: string) => void} text
 * @property {(control: Control) => void} control
 * @property {(final: string, parameters: string) => void} sequence  a control sequence, e.g. `m` and "1;31"
 *
 * @typedef {"\n" | "\r" | "\b" | "\t"} Control
 */

/** The longest parameters that are stored. Longer ones make the sequence unknown. */
const MOST_PARAMETERS = 64;

const PICTURES = 0x2400;
// C0, DEL and C1 controls, the pictures of BEL, BS, CR and ESC, and the characters that change the direction of text
const SPECIAL = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u2407\u2408\u240d\u241b]/g;
// eslint-disable-next-line no-control-regex
const STRING_END = /[\x07\u2407\x1b\u241b\n]/g;

/** The code of a character, or of the control character that it pictures. @param {string} text @param {number} at */
function meaning(text, at) {
  const code = text.charCodeAt(at);
  return [0x2407, 0x2408, 0x240d, 0x241b].includes(code) ? code - PICTURES : code;
}

export class EscapeCodes {
  /** @param {Sink} sink */
  constructor(sink) {
    this.sink = sink;
    /** @type {"text" | "escape" | "sequence" | "string"} what the next character is part of */
    this.within = "text";
    this.parameters = "";
    this.unknown = false;
  }

  /** @param {string} text */
  read(text) {
    let at = 0;
    while (at < text.length) {
      if (this.within === "text") at = this.readText(text, at);
      else if (this.within === "string") at = this.skipString(text, at);
      else at += this.readSequence(meaning(text, at)) ? 1 : 0;
    }
  }

  /** Reads text up to and including the next special character. Returns the position after it. @param {string} text @param {number} from */
  readText(text, from) {
    SPECIAL.lastIndex = from;
    const at = SPECIAL.exec(text)?.index ?? text.length;
    if (at > from) this.sink.text(text.slice(from, at));
    if (at === text.length) return at;
    const code = meaning(text, at);
    if (code === 0x1b) this.within = "escape";
    else if (code >= 0x08 && code <= 0x0d && code !== 0x0b && code !== 0x0c)
      this.sink.control(/** @type {Control} */ (String.fromCharCode(code)));
    else if (code < 0x20 && code !== 0x07) this.sink.text(String.fromCharCode(PICTURES + code));
    else if (code > 0x9f) this.sink.text("\ufffd");
    return at + 1;
  }

  /**
   * Skips an operating system command or another control string (for example a window title), up to its end or the end of its line.
   * @param {string} text
   * @param {number} from
   */
  skipString(text, from) {
    STRING_END.lastIndex = from;
    const at = STRING_END.exec(text)?.index ?? text.length;
    if (at === text.length) return at;
    const code = meaning(text, at);
    this.within = code === 0x1b ? "escape" : "text";
    return code === 0x0a ? at : at + 1;
  }

  /**
   * Reads one character of an escape sequence. Returns false if the character does not belong to one and is to be read again as text.
   * @param {number} code
   */
  readSequence(code) {
    if (code === 0x1b) {
      this.within = "escape";
      return true;
    }
    if (code < 0x20 || code > 0x7e) {
      this.within = "text";
      return false;
    }
    if (this.within === "escape") this.begin(code);
    else if (code >= 0x40) this.end(code);
    else if (code >= 0x30 && this.parameters.length < MOST_PARAMETERS) this.parameters += String.fromCharCode(code);
    else this.unknown = true;
    return true;
  }

  /** Reads the character after the escape character. @param {number} code */
  begin(code) {
    this.parameters = "";
    this.unknown = false;
    if (code === 0x5b) this.within = "sequence";
    else if ([0x50, 0x58, 0x5d, 0x5e, 0x5f].includes(code)) this.within = "string";
    else if (code > 0x2f) this.within = "text";
  }

  /** @param {number} code */
  end(code) {
    this.within = "text";
    if (!this.unknown) this.sink.sequence(String.fromCharCode(code), this.parameters);
  }
}
