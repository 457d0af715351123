-- KEYS record
local function find(keys, args)
  return { microseconds(), redis.call('GET', keys[1]) or '', redis.call('HGETALL', extras_of(keys[1])) }
end
