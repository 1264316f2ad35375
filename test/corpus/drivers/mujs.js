// What a script engine does. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
var rounds = scriptArgs.length > 0 ? Number(scriptArgs[0]) : 1;
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
var sum = 0;
for (var round = 0; round < rounds; ++round) {
  sum += fib(15);
  var words = [];
  for (var i = 0; i < 500; ++i)
    words.push((i * 7919 % 1000) + ':' + i.toString(16));
  words.sort();
  var text = words.join(',');
  sum += text.replace(/(\d+):/g, '$1$1-').length;
  var o = {};
  for (i = 0; i < 2000; ++i)
    o['k' + i % 97] = (o['k' + i % 97] || 0) + i;
  for (var k in o)
    sum += o[k] % 13;
  for (i = 0; i < 200; ++i)
    try {
      if (i % 3 == 0)
        throw {v : i};
      sum += 1;
    } catch (e) {
      sum += e.v;
    }
  sum += JSON.stringify(JSON.parse('{"a":[1,2,{"b":"c"}],"d":1.5e3}')).length;
}
print(sum);
