-- Says what a bucket is remembered by: its epoch (0 for none), whether it has lost something, whether set-up is complete.
-- KEYS marker former
local function open(keys, args)
  local marker = redis.call('GET', keys[1])
  if not marker then
    marker = carry_over(keys[2])
    if not marker then
      return { 0, 0, 0 }
    end
    redis.call('SET', keys[1], marker)
    redis.call('UNLINK', keys[2])
  end
  local _, epoch, _, _, lost, _, ready = struct.unpack(MARK, marker)
  return { epoch, lost, ready == '1' and 1 or 0 }
end
