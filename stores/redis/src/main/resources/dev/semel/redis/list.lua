-- Digests of a bucket, each with its score, in the order of the index: first those that are not settled.
-- KEYS marker
-- ARGV which (open, settled or all) limit [score digest (of the place behind which to begin)]
local function list(keys, args)
  local index = index_of(keys[1])
  local begin = redis.call('ZCOUNT', index, '-inf', '(0')
  local settled = redis.call('ZCOUNT', index, '-inf', 0)
  local first = args[1] == 'settled' and settled or begin
  local last = args[1] == 'open' and settled or redis.call('ZCARD', index)
  if args[3] then
    -- The key at that place may have gone: look for the first one behind it among those with the same score.
    local low = redis.call('ZCOUNT', index, '-inf', '(' .. args[3])
    local high = redis.call('ZCOUNT', index, '-inf', args[3])
    while low < high do
      local middle = math.floor((low + high) / 2)
      if redis.call('ZRANGE', index, middle, middle)[1] > args[4] then
        high = middle
      else
        low = middle + 1
      end
    end
    first = math.max(first, low)
  end
  local stop = math.min(first + args[2], last) - 1
  if stop < first then
    return {}
  end
  return redis.call('ZRANGE', index, first, stop, 'WITHSCORES')
end
