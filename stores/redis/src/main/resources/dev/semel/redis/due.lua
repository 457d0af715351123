-- KEYS marker
-- ARGV limit
local function due(keys, args)
  return redis.call('ZRANGEBYSCORE', index_of(keys[1]), '(0', microseconds(), 'LIMIT', 0, args[1])
end
