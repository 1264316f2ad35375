// nlohmann_json: build, dump, parse, patch, CBOR. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "data.h"
#include <nlohmann/json.hpp>
using nlohmann::json;
int main(int argc, char **argv) {
  uint64_t sum = DATA_SUM;
  for (int round = data_rounds(argc, argv); round > 0; --round) {
    json document = json::array();
    for (int i = 0; i < 300; ++i)
      document.push_back({{"id", i},
                          {"name", "n\u00e9" + std::to_string(data_next() % 1000)},
                          {"value", data_unit()},
                          {"tags", {i % 3, i % 5, nullptr, true}}});
    std::string text = document.dump(1);
    json back = json::parse(text);
    if (back != document)
      return 1;
    json patch = json::diff(document, json::parse("[{\"id\":0}]"));
    sum = data_sum(sum, text.data(), text.size()) + patch.size();
    auto binary = json::to_cbor(back);
    sum = data_sum(sum, binary.data(), binary.size());
    if (json::from_cbor(binary) != back)
      return 1;
    for (const char *bad : {"[1,", "{\"a\" 1}", "nul", "\"\\x\""})
      try {
        sum += json::parse(bad).size();
      } catch (const json::parse_error &error) {
        sum += error.byte;
      }
  }
  data_print(sum);
}
