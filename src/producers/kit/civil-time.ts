/**
 * Dates as responses write them, read by arithmetic alone: the language's own date reader differs between engines on
 * anything but ISO, and accepts text that is no date.
 */

const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec'

const IMF = /^[a-z]{3}, (\d\d)[ -]([a-z]{3})[ -](\d{4}) (\d\d):(\d\d):(\d\d) (?:gmt|utc)$/
const RFC_850 = /^[a-z]{6,9}, (\d\d)-([a-z]{3})-(\d\d) (\d\d):(\d\d):(\d\d) gmt$/
const ASCTIME = /^[a-z]{3} ([a-z]{3}) ([ \d]\d) (\d\d):(\d\d):(\d\d) (\d{4})$/
const ISO = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)\.?(\d{0,9})(z|[+-]\d\d:?\d\d)$/i

/** The three shapes of RFC 9110, section 5.6.7, as milliseconds since the epoch; nothing for anything else. */
export function readHttpDate(text: string, nowMs: number): number | undefined {
  if (text.length > 40) return undefined
  const lower = text.trim().toLowerCase()
  const imf = IMF.exec(lower)
  if (imf !== null) return epochMs(Number(imf[3]), monthOf(imf[2]), Number(imf[1]), imf[4], imf[5], imf[6])
  const old = RFC_850.exec(lower)
  if (old !== null)
    return epochMs(fullYear(Number(old[3]), nowMs), monthOf(old[2]), Number(old[1]), old[4], old[5], old[6])
  const asc = ASCTIME.exec(lower)
  if (asc !== null) return epochMs(Number(asc[6]), monthOf(asc[1]), Number(asc[2]), asc[3], asc[4], asc[5])
  return undefined
}

/** An ISO 8601 instant as milliseconds since the epoch. Without an offset it names no instant, so it is none. */
export function readIsoInstant(text: string): number | undefined {
  if (text.length > 40) return undefined
  const found = ISO.exec(text.trim())
  if (found === null) return undefined
  const at = epochMs(Number(found[1]), Number(found[2]), Number(found[3]), found[4], found[5], found[6])
  return at === undefined ? undefined : at + Number(`0.${found[7] || '0'}`) * 1_000 - offsetMs(found[8] ?? 'z')
}

/** `+08:00` or `-0530` in milliseconds east of Greenwich. */
function offsetMs(zone: string): number {
  if (zone === 'z' || zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return (zone[0] === '-' ? -minutes : minutes) * 60_000
}

function monthOf(name: string | undefined): number {
  const at = MONTHS.indexOf(name ?? '-')
  return at >= 0 && at % 3 === 0 ? at / 3 + 1 : 0
}

/** RFC 9110: a two-digit year more than 50 years ahead is the most recent past year that ends so. */
function fullYear(two: number, nowMs: number): number {
  const thisYear = 1970 + Math.floor(nowMs / 31_556_952_000)
  const year = thisYear - (thisYear % 100) + two
  return year > thisYear + 50 ? year - 100 : year
}

type Digits = string | undefined

function epochMs(year: number, month: number, day: number, h: Digits, m: Digits, s: Digits): number | undefined {
  const [hour, minute, second] = [Number(h), Number(m), Number(s)]
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined
  // 60 is a leap second, which the formats allow.
  if (hour > 23 || minute > 59 || second > 60) return undefined
  return ((daysFromCivil(year, month, day) * 24 + hour) * 60 + minute) * 60_000 + second * 1_000
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Days since 1970-01-01 in the Gregorian calendar: years begin in March, so that the leap day comes last. */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}
