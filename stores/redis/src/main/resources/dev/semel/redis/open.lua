-- Says what a bucket is remembered by: its epoch (0 for none), whether it has lost something, whether set-up is complete,
-- and whether a former form of the store is here.
-- KEYS marker, then its former names
local function open(keys, args)
  local former = redis.call('EXISTS', unpack(keys, 2))
  local marker = redis.call('GET', keys[1])
  if not marker then
    return { 0, 0, 0, former }
  end
  local _, epoch, _, lost, _, ready = struct.unpack(MARK, marker)
  return { epoch, lost, ready == '1' and 1 or 0, former }
end
