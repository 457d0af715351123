-- KEYS record bucket index extras
-- ARGV nonce token name result
local function step(keys, args)
  local state, extras = read_own(keys[1], args[1], args[2])
  if state ~= 'p' then
    return { 0, 0, 0 }
  end
  redis.call('HSETNX', keys[4], 's:' .. args[3], args[4])
  if extras == '0' then
    mark_extras(keys[1])
  end
  return { 1, tick(keys[2], microseconds()) }
end
