-- KEYS record marker
-- ARGV nonce token
local function release(keys, args)
  local state = read_own(keys[1], args[1], args[2])
  if state ~= 'p' and state ~= 'u' then
    return 0
  end
  return write_marker(keys[1], keys[2], forget(keys[1], keys[2], redis.call('GET', keys[2])), microseconds())
end
