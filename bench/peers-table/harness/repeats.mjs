import { TEXT } from './stage.mjs'

const FIRST_WORD = TEXT.split(' ')[0]

/** Whether a consumer was shown the answer's beginning more than once. @param {string} text */
export const repeats = (text) => text.split(FIRST_WORD).length > 2

/** How a stream that broke looked to its consumer. */
export const endOf = ({ text, end, repeated }) => {
  const how = end === 'failed' ? 'error' : end === 'pending' ? 'never ended' : 'ended as if well'
  if (repeated) return `**output twice**, ${how}`
  return text === TEXT && end === 'ended' ? 'whole' : how
}
