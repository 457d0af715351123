-- KEYS record
local function find(keys, args)
  return { microseconds(), redis.call('HGETALL', keys[1]) }
end
