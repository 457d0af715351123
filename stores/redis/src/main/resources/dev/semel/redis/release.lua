-- KEYS record bucket index extras
-- ARGV nonce token
local function release(keys, args)
  local state = read_own(keys[1], args[1], args[2])
  if state ~= 'p' and state ~= 'u' then
    return { 0, 0, 0 }
  end
  forget(keys[1], keys[4], keys[3])
  return { 1, tick(keys[2], microseconds()) }
end
