-- Begins a new epoch of a bucket: what was lost is lost. Returns the epoch, and whether the one before was intact.
-- KEYS marker
-- ARGV epoch (0 for one made of this server's clock), the least that it may then be
local function acknowledge(keys, args)
  local marker = redis.call('GET', keys[1])
  local intact = false
  local now = microseconds()
  local clock = now
  if marker then
    local before, _, _, lost = struct.unpack(MARK, marker)
    intact, clock = lost == 0, math.max(now, before + 1)
  end
  local epoch = args[1] == '0' and math.max(clock, tonumber(args[2])) or tonumber(args[1])
  redis.call('SET', keys[1], new_marker(now, clock, epoch, 'o', '1'))
  open_index(keys[1])
  return { epoch, intact and 1 or 0 }
end
