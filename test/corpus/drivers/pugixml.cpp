// pugixml: parse, XPath, change, write. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pugixml.hpp"
#include "data.h"
#include <sstream>
int main(int argc, char **argv) {
  uint64_t sum = DATA_SUM;
  for (int round = data_rounds(argc, argv); round > 0; --round) {
    std::string text = "<?xml version='1.0'?><r>";
    for (int i = 0; i < 300; ++i)
      text += "<e id='" + std::to_string(i) + "' v='" + std::to_string(data_next() % 100) +
              "'>t &amp; <b>x</b></e>";
    pugi::xml_document document;
    if (!document.load_string((text + "</r>").c_str()))
      return 1;
    for (auto &&found : document.select_nodes("//e[@v > 50 and (@id mod 3) = 0]/b"))
      found.node().append_attribute("hit") = true;
    double total = pugi::xpath_query("sum(//e/@v) + count(//b[@hit])").evaluate_number(document);
    std::ostringstream out;
    document.save(out, " ");
    sum = data_sum(data_sum(sum, &total, sizeof total), out.str().data(), out.str().size());
    pugi::xml_document broken;
    sum += static_cast<uint64_t>(broken.load_string("<a><b></a>").offset);
  }
  data_print(sum);
}
