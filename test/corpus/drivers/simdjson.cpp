// simdjson: on demand and DOM, all implementations that run here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simdjson.h"
#include "data.h"
#include <string>
int main(int argc, char **argv) {
  std::string text = "[";
  for (int i = 0; i < 400; ++i) {
    char item[200];
    snprintf(
        item, sizeof item,
        "%s{\"id\": %d, \"name\": \"n\\u00e9%d\", \"value\": %.17g, \"tags\": [1, null, true]}",
        i ? "," : "", i, (int)(data_next() % 1000), data_unit());
    text += item;
  }
  text += "]";
  simdjson::padded_string padded(text);
  uint64_t sum = DATA_SUM;
  for (int round = data_rounds(argc, argv); round > 0; --round)
    for (const char *name : {"fallback", "westmere", "haswell"}) {
      auto implementation = simdjson::get_available_implementations()[name];
      if (!implementation || !implementation->supported_by_runtime_system())
        continue;
      simdjson::get_active_implementation() = implementation;
      simdjson::dom::parser dom;
      std::string again = simdjson::minify(dom.parse(padded));
      sum = data_sum(sum, again.data(), again.size());
      if (std::string(name) != "fallback") {
        simdjson::ondemand::parser parser;
        auto document = parser.iterate(padded);
        for (auto item : document.get_array()) {
          double value = double(item["value"]);
          sum = data_sum(sum, &value, sizeof value);
        }
      }
    }
  data_print(sum);
}
