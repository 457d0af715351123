-- KEYS record extras
local function find(keys, args)
  return { microseconds(), redis.call('GET', keys[1]) or '', redis.call('HGETALL', keys[2]) }
end
