-- KEYS record
-- ARGV nonce token lease
local function renew(keys, args)
  local record = read_own(keys[1], args[1], args[2])
  if not record or record.state ~= 'p' then
    return { 0 }
  end
  redis.call('SETRANGE', keys[1], AT_UNTIL, struct.pack('>d', microseconds() + args[3]))
  return { 1 }
end
