-- How many keys of a bucket are not settled, how many are, and since when the oldest is due to be purged.
-- KEYS marker
local function survey(keys, args)
  local index = index_of(keys[1])
  local now = microseconds()
  local open = redis.call('ZCOUNT', index, 0, 0)
  local due = redis.call('ZRANGEBYSCORE', index, '(0', now, 'WITHSCORES', 'LIMIT', 0, 1)
  local lag = due[2] and now - due[2] or 0
  return { now, open, redis.call('ZCOUNT', index, '(0', '+inf'), lag }
end
