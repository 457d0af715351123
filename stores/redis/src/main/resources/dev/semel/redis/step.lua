-- KEYS record marker
-- ARGV nonce token name result
local function step(keys, args)
  local state, extras = read_own(keys[1], args[1], args[2])
  if state ~= 'p' then
    return 0
  end
  redis.call('HSETNX', extras_of(keys[1]), 's:' .. args[3], args[4])
  if extras == '0' then
    mark_extras(keys[1])
  end
  return write_marker(keys[1], keys[2], redis.call('GET', keys[2]), microseconds())
end
