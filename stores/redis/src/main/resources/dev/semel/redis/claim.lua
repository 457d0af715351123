-- KEYS record bucket index extras
-- ARGV (epoch term clock fingerprint nonce lease takeover tick) who; what is in brackets is one packed string, because
-- each argument costs as much as a small command
local function claim(keys, args)
  local epoch, term_seen, clock_seen, print, claimant, lease, takeover, ticks =
    struct.unpack('>dddc33c16dc1c1', args[1])
  local who = args[2]
  local now = microseconds()
  local refusal, term, clock = enter(keys[2], now, epoch, term_seen, clock_seen)
  if refusal then
    return refusal
  end
  -- A caller that waits for replicas must have written something to wait for.
  if ticks == '1' then
    term, clock = tick(keys[2], now)
  end
  local record = redis.call('GET', keys[1])
  local state, extras, nonce, fingerprint, token, attempt, claimed, lease_until, settled_at, expires, free, _, length
  if record then
    state, extras, nonce, fingerprint, token, attempt, claimed, lease_until, settled_at, expires, free, _, length =
      struct.unpack(HEAD, record)
  end
  local settled = state == 's' or state == 'f'
  local fresh = not state or (settled and now >= free)
  local mine = state == 'p' and nonce == claimant
  local alike = fresh or string.byte(fingerprint) ~= string.byte(print) or fingerprint == print

  if fresh or (state == 'p' and not mine and now >= lease_until and takeover == '1' and alike) then
    if fresh then
      if extras == '1' then
        redis.call('UNLINK', keys[4])
      end
      extras, attempt = '0', 1
    else
      note(keys[1], keys[4], now, attempt, token, 'taken over',
        string.format('its lease had lapsed %.3f s before', (now - lease_until) / 1000000))
      extras, attempt = '1', attempt + 1
    end
    token = math.max(now, clock + 1)
    clock = token
    redis.call('SET', keys[1], struct.pack(HEAD, 'p', extras, claimant, print, token, attempt, now, now + lease,
      0, 0, 0, 0, #who) .. who)
    if fresh then
      redis.call('ZADD', keys[3], 0, digest_of(keys[1]))
    end
    redis.call('HSET', keys[2], 'clock', clock)
  elseif not mine then
    if settled and now >= expires then
      return { 'expired', term, clock }
    elseif not alike then
      return { 'mismatch', term, clock }
    elseif settled then
      return { 'settled', term, clock, settled_at, expires, token, length, string.sub(record, HEAD_LENGTH + 1) }
    elseif state == 'p' and now < lease_until then
      return { 'in flight', term, clock, now - claimed, lease_until - now }
    end
    return { 'unknown', term, clock }
  end

  local answer = { 'acquired', term, clock, token, attempt }
  if extras == '1' then
    local fields = redis.call('HGETALL', keys[4])
    for i = 1, #fields, 2 do
      if string.sub(fields[i], 1, 2) == 's:' then
        answer[#answer + 1] = string.sub(fields[i], 3)
        answer[#answer + 1] = fields[i + 1]
      end
    end
  end
  return answer
end
