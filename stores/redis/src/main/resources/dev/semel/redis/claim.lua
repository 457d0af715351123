-- head: lease takeover; body: nonce, fingerprint and who, as in a record
local function claim(work, marker, name, found, heads, at, body)
  local terms = string.sub(heads, at, at + 8)
  at = at + 9
  if marker.refusal then
    return marker.refusal, at
  end
  local now = work.now
  -- The calls of a batch often have the same lease.
  if terms ~= work.claim_terms then
    work.claim_terms = terms
    work.lease, work.takeover = struct.unpack('>dB', terms)
    work.first_attempt = struct.pack(CLAIMED, 'p', '0', 1, now, now + work.lease)
  end
  if not found then
    local token = tick(marker, now)
    local fresh = work.fresh
    fresh[#fresh + 1] = name
    fresh[#fresh + 1] = work.first_attempt .. struct.pack('>d', token) .. body
    list_key(marker, name, NOT_SETTLED)
    -- Most claims end here; any other answer is a table, which is dear.
    return token, at
  end

  local length = length_of_claim(found)
  local record = parse(found, string.sub(found, length + 1, length + SETTLED_LENGTH))
  local state, fingerprint, token, attempt, extras =
    record.state, record.fingerprint, record.token, record.attempt, record.extras
  local settled = is_settled(record)
  local reused = settled and now >= record.free
  local mine = state == 'p' and record.nonce == string.sub(body, 1, 16)
  -- The operation must be the same. Fingerprints of different versions or rules cannot be compared.
  local asked = string.sub(body, 17, 57)
  local alike = reused or fingerprint == asked or (string.sub(fingerprint, 1, 4) == string.sub(asked, 1, 4)
    and string.sub(fingerprint, 5, 9) ~= string.sub(asked, 5, 9))
  local lapsed = state == 'p' and now >= record.lease_until
  if reused or (lapsed and not mine and work.takeover == 1 and alike) then
    local before, extras_key = token, extras_of(name)
    token = tick(marker, now)
    if reused then
      if extras == '1' then
        work.extras[#work.extras + 1] = function() redis.call('UNLINK', extras_key) end
      end
      extras, attempt = '0', 1
      list_key(marker, name, NOT_SETTLED)
    else
      local text = string.format('its lease had lapsed %.3f s before', (now - record.lease_until) / 1000000)
      work.extras[#work.extras + 1] = function()
        note(extras_key, now, record.attempt, before, 'taken over', text)
      end
      extras, attempt = '1', attempt + 1
    end
    local replaced = work.replaced
    replaced[#replaced + 1] = name
    replaced[#replaced + 1] = struct.pack(CLAIMED, 'p', extras, attempt, now, now + work.lease)
      .. struct.pack('>d', token) .. body
  elseif not mine then
    if settled and now >= record.expires then
      return { 'expired' }, at
    elseif not alike then
      return { 'mismatch' }, at
    elseif settled then
      return { 'settled', record.settled, record.expires, token, string.sub(found, AT_WHO + 1) }, at
    elseif state == 'p' and not lapsed then
      return { 'in flight', now - record.claimed, record.lease_until - now }, at
    end
    return { 'unknown' }, at
  end

  local answer = { 'acquired', token, attempt }
  if extras == '1' then
    local fields = redis.call('HGETALL', extras_of(name))
    for i = 1, #fields, 2 do
      if string.sub(fields[i], 1, 2) == 's:' then
        answer[#answer + 1] = string.sub(fields[i], 3)
        answer[#answer + 1] = fields[i + 1]
      end
    end
  end
  return answer, at
end
