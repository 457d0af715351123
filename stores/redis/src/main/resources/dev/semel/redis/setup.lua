-- Writes the marker of a bucket that has none, and returns the epoch that it has then.
-- KEYS marker
-- ARGV epoch (0 for one made of this server's clock)
local function setup(keys, args)
  local marker = redis.call('GET', keys[1])
  if marker then
    return { (struct.unpack('>d', marker, 9)) }
  end
  local now = microseconds()
  local epoch = args[1] == '0' and now or tonumber(args[1])
  redis.call('SET', keys[1], new_marker(now, now, epoch, 's', '0'))
  open_index(keys[1])
  return { epoch }
end
