import { LINGER_MS } from '../../core/share.ts'

/**
 * Joins entries into what is kept, all or none, and tells them on: `joined` and `isFirst`, in the server's own words and
 * by its own clock. Sent whole with each change: changes are rare, and a server that others fail over to has no script
 * loaded.
 *
 * One hash holds an entry in each field, one sorted set says when each may be forgotten. What has passed its time is
 * dropped at the next change, and both keys end with the last of it.
 *
 * KEYS: hash, sorted set. ARGV: channel, entries. Answers as it is told, with whether each was first.
 */
export const WRITE: string = `
local function isTimed(value, names)
  for _, name in ipairs(names) do
    if type(value) ~= 'table' or type(value[name]) ~= 'number' then return false end
  end
  return true
end
local function isShare(value)
  if not isTimed(value, { 'generation', 'sinceMs', 'lastMs' }) or type(value.marks) ~= 'table' then return false end
  for _, mark in pairs(value.marks) do
    if not isTimed(mark, { 'untilMs', 'setMs' }) then return false end
  end
  return true
end
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local shown = string.format('%.3f', now)
if redis.call('EXISTS', KEYS[2]) == 0 then
  -- A server that is full may drop one key and keep the other.
  for _, group in ipairs(redis.call('HKEYS', KEYS[1])) do
    redis.call('ZADD', KEYS[2], string.format('%.0f', now + ${LINGER_MS}), group)
  end
end
for _, group in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', shown, 'LIMIT', 0, 100)) do
  redis.call('HDEL', KEYS[1], group)
  redis.call('ZREM', KEYS[2], group)
end
local firsts, news = {}, {}
for place, given in ipairs(cjson.decode(ARGV[2])) do
  local isEntry, kept = pcall(cjson.decode, redis.call('HGET', KEYS[1], given.group) or '')
  if not isEntry or not isShare(kept) then
    kept = { generation = 0, sinceMs = 0, lastMs = 0, marks = {} }
  end
  local since = math.max(kept.sinceMs, given.sinceMs)
  local generation = math.max(kept.generation, given.generation)
  local last = math.max(kept.lastMs, given.lastMs, since)
  local answer, other = kept, given
  if given.sinceMs > kept.sinceMs then answer, other = given, kept end
  local hadMarks, hasMarks, wasLive, isLive = false, false, false, false
  for _, mark in pairs(other.marks) do
    hadMarks = true
    if mark.setMs > since then hasMarks = true end
  end
  local marks = {}
  for _, from in ipairs({ kept, given }) do
    for name, mark in pairs(from.marks) do
      last = math.max(last, mark.untilMs)
      if from.generation == generation and mark.setMs > since then
        local held = marks[name] or mark
        local untilMs, setMs = math.max(held.untilMs, mark.untilMs), math.max(held.setMs, mark.setMs)
        marks[name] = { untilMs = untilMs, setMs = setMs }
        if untilMs > now then isLive = true end
        if from == kept and untilMs > now then wasLive = true end
      end
    end
  end
  local isLate = answer.generation > 0 and answer.generation <= other.generation and answer.sinceMs > other.sinceMs
  if isLate and hadMarks and not hasMarks and next(marks) == nil then generation = generation + 1 end
  if generation ~= kept.generation then wasLive = false end
  firsts[place] = isLive and not wasLive
  local isChanged = generation ~= kept.generation or since ~= kept.sinceMs or last ~= kept.lastMs
  for name, mark in pairs(marks) do
    local held = kept.marks[name]
    if not held or held.untilMs ~= mark.untilMs or held.setMs ~= mark.setMs then isChanged = true end
  end
  if isChanged then
    local entry = { group = given.group, generation = generation, sinceMs = since, lastMs = last, marks = marks }
    local text = cjson.encode(entry)
    redis.call('HSET', KEYS[1], given.group, text)
    redis.call('ZADD', KEYS[2], string.format('%.0f', last + ${LINGER_MS}), given.group)
    news[#news + 1] = text
  end
end
local ends = redis.call('ZREVRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
if ends then
  redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', ends))
  redis.call('PEXPIREAT', KEYS[2], string.format('%.0f', ends))
end
if #news > 0 then
  redis.call('PUBLISH', ARGV[1], '{"atMs":' .. shown .. ',"entries":[' .. table.concat(news, ',') .. ']}')
end
return '{"atMs":' .. shown .. ',"firsts":' .. cjson.encode(firsts) .. '}'
`

/** What the clock shows, and all entries as they are kept. KEYS: hash. */
export const READ: string = `
local time = redis.call('TIME')
return { string.format('%.3f', time[1] * 1000 + time[2] / 1000), redis.call('HVALS', KEYS[1]) }
`
