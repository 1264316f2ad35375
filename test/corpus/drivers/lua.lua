-- What an interpreter does: calls, tables, strings, closures, coroutines, errors.
-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
local rounds = tonumber(arg[1]) or 1
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local sum = 0
for round = 1, rounds do
  sum = sum + fib(18)
  local sieve = {}
  for i = 2, 5000 do sieve[i] = true end
  for i = 2, 70 do if sieve[i] then for j = i * i, 5000, i do sieve[j] = false end end end
  for i = 2, 5000 do if sieve[i] then sum = sum + i end end
  local words = {}
  for i = 1, 1000 do words[#words + 1] = string.format("%d:%x", i * 7919 % 1000, i) end
  table.sort(words)
  local text = table.concat(words, ",")
  sum = sum + #text:gsub("%d+", function(d) return d .. d end)
  for word in text:gmatch("(%x+),") do sum = sum + #word end
  local make = coroutine.wrap(function() for i = 1, 500 do coroutine.yield(i * i) end end)
  for _ = 1, 500 do sum = sum + make() end
  for i = 1, 200 do
    local ok, why = pcall(function() if i % 3 == 0 then error({i}) end return i end)
    sum = sum + (ok and why or why[1])
  end
  local m = {}
  for i = 1, 30 do m[i] = {} for j = 1, 30 do m[i][j] = (i * j) % 11 / 4 end end
  local total = 0.0
  for i = 1, 30 do for j = 1, 30 do
    local s = 0.0
    for k = 1, 30 do s = s + m[i][k] * m[k][j] end
    total = total + s
  end end
  sum = sum + math.floor(total)
end
print(sum)
