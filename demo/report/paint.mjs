const CODES = { dim: 2, bold: 1, red: 31, green: 32, yellow: 33, cyan: 36, magenta: 35 }

/**
 * Colour on a terminal only, and never where `NO_COLOR` is set (no-color.org: to anything but the empty string).
 *
 * @param {{ isTTY?: boolean }} output
 * @param {Record<string, string | undefined>} environment
 * @returns {(colour: keyof typeof CODES | undefined, text: string) => string}
 */
export function painterFor(output, environment) {
  const coloured = output.isTTY === true && !environment['NO_COLOR']
  return (colour, text) => (coloured && colour !== undefined ? `\u001B[${CODES[colour]}m${text}\u001B[0m` : text)
}
