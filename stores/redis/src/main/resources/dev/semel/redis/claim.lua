-- KEYS record bucket index
-- ARGV epoch term clock fingerprint nonce lease takeover who tick
local function claim(keys, args)
  local now = microseconds()
  local refusal, term, clock = enter(keys[2], now, args[1], args[2], args[3])
  if refusal then
    return refusal
  end
  -- A caller that waits for replicas must have written something to wait for.
  if args[9] == '1' then
    term, clock = tick(keys[2], now)
  end
  local record = redis.call('HMGET', keys[1],
    'state', 'nonce', 'fingerprint', 'token', 'attempt', 'claimed', 'until', 'expires', 'free')
  local state, lease_until = record[1], tonumber(record[7])
  local settled = state == 's' or state == 'f'

  if not state or (settled and now >= tonumber(record[9])) then
    if state then
      redis.call('UNLINK', keys[1])
    end
    clock = math.max(now, clock + 1)
    redis.call('HSET', keys[1], 'state', 'p', 'nonce', args[5], 'fingerprint', args[4], 'token', clock, 'attempt', 1,
      'claimed', now, 'until', now + args[6], 'who', args[8])
    redis.call('ZADD', keys[3], 0, digest_of(keys[1]))
    redis.call('HSET', keys[2], 'clock', clock)
    return { 'acquired', term, clock, clock, 1 }
  end

  local answer
  local mine = state == 'p' and record[2] == args[5]
  local alike = string.byte(record[3]) ~= string.byte(args[4]) or record[3] == args[4]
  if mine then
    answer = { 'acquired', term, clock, tonumber(record[4]), tonumber(record[5]) }
  elseif state == 'p' and now >= lease_until and args[7] == '1' and alike then
    local attempt = record[5] + 1
    clock = math.max(now, clock + 1)
    note(keys[1], now, record[5], record[4], 'taken over',
      string.format('its lease had lapsed %.3f s before', (now - lease_until) / 1000000))
    redis.call('HSET', keys[1], 'nonce', args[5], 'fingerprint', args[4], 'token', clock, 'attempt', attempt,
      'claimed', now, 'until', now + args[6], 'who', args[8])
    redis.call('HSET', keys[2], 'clock', clock)
    answer = { 'acquired', term, clock, clock, attempt }
  elseif settled and now >= tonumber(record[8]) then
    return { 'expired', term, clock }
  elseif not alike then
    return { 'mismatch', term, clock }
  elseif settled then
    local outcome = redis.call('HMGET', keys[1], 'settled', 'outcome')
    return { 'settled', term, clock, tonumber(outcome[1]), tonumber(record[8]), tonumber(record[4]), outcome[2] }
  elseif state == 'p' and now < lease_until then
    return { 'in flight', term, clock, now - record[6], lease_until - now }
  else
    return { 'unknown', term, clock }
  end

  local fields = redis.call('HGETALL', keys[1])
  for i = 1, #fields, 2 do
    if string.sub(fields[i], 1, 2) == 's:' then
      answer[#answer + 1] = string.sub(fields[i], 3)
      answer[#answer + 1] = fields[i + 1]
    end
  end
  return answer
end
