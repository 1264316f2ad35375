//===- NodeOriginsTest.cpp - modules and callers of captured nodes ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/NodeOrigins.h"

#include <gtest/gtest.h>

using namespace seamscope::tools;

TEST(NodeOrigins, PathsAsTorchWritesThem) {
  EXPECT_EQ(modulePath("L['self'].h.2.mlp.act"), "h.2.mlp.act");
  EXPECT_EQ(modulePath("L['self']"), "");
  EXPECT_EQ(modulePath("L['model'].h[2].mlp"), "model.h.2.mlp");
  EXPECT_EQ(modulePath("G['models'][0].seq.1"), "models.0.seq.1");
  EXPECT_EQ(modulePath("L['self']._modules['a.b'].act"), "a.b.act");
  EXPECT_EQ(modulePath("G['compiled']._orig_mod.head"), "compiled.head");
  EXPECT_EQ(modulePath("plain"), "plain");
  EXPECT_EQ(modulePath("L['fn'].layers.0"), "fn.layers.0");
  for (const char *Odd : {"", "[", "L[", "L['", "L['self", "]].''", "."})
    EXPECT_EQ(modulePath(Odd).find_first_of("[]'\""), std::string::npos) << Odd;
}

TEST(NodeOrigins, LayersAreGrouped) {
  const auto Grouped = [](std::initializer_list<const char *> Paths) {
    std::vector<ModulePath> Modules;
    for (const char *Path : Paths)
      Modules.push_back({Path, "Linear"});
    return groupedPaths(Modules);
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(Grouped({"h.0.mlp", "h.1.mlp", "h.2.mlp", "h.7.mlp"}), Texts{"h.[0-2,7].mlp"});
  EXPECT_EQ(Grouped({"h.0.mlp", "head", "h.0.act"}), (Texts{"h.0.mlp", "head", "h.0.act"}));
  EXPECT_EQ(Grouped({"3", "4"}), Texts{"[3-4]"});
  EXPECT_EQ(Grouped({"a.", "a.4294967296.b"}), (Texts{"a.", "a.4294967296.b"}));
  EXPECT_EQ(Grouped({""}), Texts{"(Linear)"});
  EXPECT_EQ(Grouped({}), Texts{});
}

TEST(NodeOrigins, CallersAreTheRestOfTheStack) {
  const auto Origins = parseNodeOrigins(R"({
    "stacks": ["  File \"/s/model.py\", line 3, in forward\n    return act(x)\n  File \"/v/lib/python3.11/site-packages/l/act.py\", line 66, in act\n    return x * x\n", 7],
    "nodes": {"mul": {"module": "L['self'].h.0.act", "class": "Act", "stack": 0},
              "bare": {"stack": 9}, "odd": [], "one": {"stack": 1}}})");
  ASSERT_TRUE(Origins);
  const SourceLine Inner{"/v/lib/python3.11/site-packages/l/act.py", 66, "act", "return x * x"};
  const auto Callers = Origins->callersOf("mul", Inner);
  ASSERT_EQ(Callers.size(), 1u);
  EXPECT_EQ(Callers[0].File, "/s/model.py");
  EXPECT_EQ(Callers[0].Line, 3u);
  EXPECT_EQ(Callers[0].Code, "return act(x)");
  EXPECT_EQ(Origins->find("mul")->Module, (ModulePath{"h.0.act", "Act"}));
  // Of a stack that ends elsewhere nothing is known.
  EXPECT_TRUE(Origins->callersOf("mul", {"/s/model.py", 4, "", ""}).empty());
  EXPECT_TRUE(Origins->callersOf("bare", Inner).empty());
  EXPECT_TRUE(Origins->callersOf("one", Inner).empty());
  EXPECT_EQ(Origins->find("odd"), nullptr);
}

TEST(NodeOrigins, BadTextIsRefused) {
  for (const char *Text : {"", "[]", "{}", "{\"nodes\": 3}", "{\"nodes\": {", "null"})
    EXPECT_FALSE(parseNodeOrigins(Text)) << Text;
  EXPECT_TRUE(parseNodeOrigins("{\"nodes\": {}, \"stacks\": {}}"));
}

TEST(NodeOrigins, WhoseFileItIs) {
  for (const char *File :
       {"/v/lib/python3.11/site-packages/transformers/activations.py",
        "/usr/lib/python3/dist-packages/torch/nn/functional.py", "/usr/lib/python3.11/runpy.py",
        "<frozen runpy>", "/x/share/seamscope/python/seamscope/torch/_compare.py"})
    EXPECT_TRUE(isOfLibrary(File)) << File;
  for (const char *File : {"/home/me/seamscope/train.py", "/home/me/lib/python-code/a.py", "a.py",
                           "<ipython-input-1-abc>", ""})
    EXPECT_FALSE(isOfLibrary(File)) << File;
}
