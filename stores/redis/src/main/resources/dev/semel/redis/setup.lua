-- Writes the marker of a bucket that has none, and returns the epoch that it has then, and whether set-up is complete.
-- KEYS bucket index
-- ARGV epoch (0 for one made of this server's clock)
local function setup(keys, args)
  local read = redis.call('HMGET', keys[1], 'epoch', 'ready')
  if read[1] then
    return { read[1], read[2] or '' }
  end
  local now = microseconds()
  local epoch = args[1] == '0' and string.format('%.0f', now) or args[1]
  redis.call('HSET', keys[1], 'epoch', epoch, 'by', 'setup', 'clock', now)
  open_index(keys[2])
  begin_term(keys[1], now, now, replication_id(now))
  return { epoch, '' }
end
