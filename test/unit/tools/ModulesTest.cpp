//===- ModulesTest.cpp - the time of a trace by nn.Module -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/Modules.h"
#include "TestFile.h"
#include "analysis/groups/GroupBy.h"

#include <map>
#include <vector>

namespace seamscope::tools {
namespace {

const ReadOptions Keep = {.Autograd = true};

std::string numbered(int64_t Number, int64_t ForwardThread) {
  return fmt::format(R"("Sequence number": {}, "Fwd thread id": {})", Number, ForwardThread);
}

std::string launch(int Thread, int64_t Begin, int64_t Id) {
  return eventText("cuda_runtime", "cudaLaunchKernel", Thread, Begin, 1,
                   fmt::format(R"("correlation": {})", Id));
}

/// Work of device 0 on its stream 7.
std::string work(const char *Category, const char *Name, int64_t Begin, int64_t Duration,
                 int64_t Id) {
  return fmt::format(
      R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 0, "tid": 7, "ts": {}, "dur": {}, "args": {{"device": 0, "correlation": {}}}}})",
      Category, Name, Begin, Duration, Id);
}

Trace joined(const std::vector<std::string> &Events) {
  return traceOf(fmt::format("[{}]", fmt::join(Events, ",\n")), Keep);
}

/// Net > Block > Linear twice, a loss outside, the backward pass on the engine's thread.
std::vector<std::string> step() {
  return {
      eventText("user_annotation", "ProfilerStep#1", 1, 0, 400),
      eventText("python_function", "nn.Module: Net_0", 1, 10, 100),
      eventText("python_function", "model.py(3): forward", 1, 12, 96),
      eventText("python_function", "nn.Module: Block_0", 1, 20, 50),
      eventText("python_function", "nn.Module: Linear_0", 1, 25, 10),
      eventText("cpu_op", "aten::linear", 1, 26, 8, numbered(1, 0)),
      launch(1, 27, 1),
      eventText("python_function", "nn.Module: Linear_1", 1, 40, 20),
      eventText("cpu_op", "aten::linear", 1, 41, 18, numbered(2, 0)),
      launch(1, 45, 2),
      eventText("cpu_op", "aten::add", 1, 80, 10, numbered(3, 0)), // of Net itself
      launch(1, 81, 3),
      eventText("cpu_op", "aten::mse_loss", 1, 120, 30, numbered(4, 0)),
      launch(1, 121, 4),
      eventText("cpu_op", "LinearBackward0", 2, 200, 40, numbered(2, 1)),
      launch(2, 205, 5),
      eventText("cpu_op", "AddBackward0", 2, 250, 5, numbered(3, 1)),
      eventText("cpu_op", "aten::unproven", 2, 260, 7),
      launch(2, 261, 6),
      work("kernel", "a", 30, 100, 1),
      work("kernel", "b", 130, 200, 2),
      work("kernel", "add", 330, 300, 3),
      work("gpu_memcpy", "Memcpy DtoD", 630, 400, 4),
      work("kernel", "b_backward", 1030, 500, 5),
      work("kernel", "c", 1530, 600, 6),
      work("kernel", "lost", 2130, 700, 99),
  };
}

struct Named {
  std::string Path;
  uint32_t Depth;
  uint64_t Calls;
  int64_t CallUs, SelfUs, TotalUs, BackwardUs, DeviceSelfUs, DeviceTotalUs, DeviceBackwardUs;
  uint64_t Kernels; ///< of its own
};

void expectRows(const ModuleTimes &Times, const ModulePaths &Paths,
                const std::vector<Named> &Expected) {
  ASSERT_EQ(Times.Rows.size(), Expected.size());
  ModuleTime Self, Top;
  for (size_t I = 0; I < Expected.size(); ++I) {
    const ModuleRow &Row = Times.Rows[I];
    const Named &Want = Expected[I];
    SCOPED_TRACE(Want.Path);
    EXPECT_EQ(Paths.text(Row.Path), Want.Path);
    EXPECT_EQ(Row.Depth, Want.Depth);
    EXPECT_EQ(Row.Calls, Want.Calls);
    EXPECT_EQ(Row.CallNs, 1000 * Want.CallUs);
    EXPECT_EQ(Row.Self.HostNs, 1000 * Want.SelfUs);
    EXPECT_EQ(Row.Total.HostNs, 1000 * Want.TotalUs);
    EXPECT_EQ(Row.Total.BackwardHostNs, 1000 * Want.BackwardUs);
    EXPECT_EQ(Row.Self.DeviceNs, 1000 * Want.DeviceSelfUs);
    EXPECT_EQ(Row.Total.DeviceNs, 1000 * Want.DeviceTotalUs);
    EXPECT_EQ(Row.Total.BackwardDeviceNs, 1000 * Want.DeviceBackwardUs);
    EXPECT_EQ(Row.Self.Kernels, Want.Kernels);
    Self.add(Row.Self);
    if (Row.Depth <= 1)
      Top.add(Row.Total);
  }
  EXPECT_EQ(Self, Times.Sum);
  EXPECT_EQ(Top, Times.Sum);
  for (const uint32_t Depth : {1, 2, 3, 9}) {
    ModuleTime Sum;
    for (const ModuleRow &Row : modulesAtDepth(Times, Depth))
      Sum.add(Row.Total);
    EXPECT_EQ(Sum, Times.Sum) << Depth;
  }
}

TEST(Modules, AStepOfTraining) {
  const Trace Source = joined(step());
  const Directions Parts(Source);
  const ModulePaths Paths(Source, Parts);
  const ModuleTimes Times = moduleTimes(Source, linkWork(Source), Paths, Parts);
  // Threads: 400 us of the user's, 40 + 5 + 7 of the engine's.
  expectRows(Times, Paths,
             {{"Net_0", 1, 1, 100, 50 + 5, 100 + 45, 45, 300, 1100, 500, 1},
              {"Net_0 > Block_0", 2, 1, 50, 20, 50 + 40, 40, 0, 800, 500, 0},
              {"Net_0 > Block_0 > Linear_1", 3, 1, 20, 20 + 40, 20 + 40, 40, 700, 700, 500, 2},
              {"Net_0 > Block_0 > Linear_0", 3, 1, 10, 10, 10, 0, 100, 100, 0, 1},
              // The rest of the step, what is not proven, the copy and the kernel without a launch.
              {"", 0, 0, 0, 300 + 7, 300 + 7, 7, 400 + 600 + 700, 400 + 600 + 700, 600, 2}});
  EXPECT_EQ(Times.Sum.HostNs, 452'000);
  EXPECT_EQ(Times.Sum.DeviceNs, 2'800'000);
  EXPECT_EQ(Times.UnlaunchedDeviceNs, 700'000);
}

TEST(Modules, ClassesAreOneEach) {
  const Trace Source = joined(step());
  const Directions Parts(Source);
  const ModulePaths Paths(Source, Parts, ModuleNames::Classes);
  const ModuleTimes Times = moduleTimes(Source, linkWork(Source), Paths, Parts);
  ASSERT_EQ(Times.Rows.size(), 4u);
  EXPECT_EQ(Paths.text(Times.Rows[2].Path), "Net > Block > Linear");
  EXPECT_EQ(Times.Rows[2].Calls, 2u);
  EXPECT_EQ(Times.Rows[2].Self.DeviceNs, 800'000);
  EXPECT_EQ(Times.Rows[2].Self.HostNs, 70'000);
}

TEST(Modules, GroupsHaveTheDevicesWork) {
  const Trace Source = joined(step());
  const Grouping Groups = groupBy(Source, linkWork(Source), GroupKey::Module);
  std::map<std::string, int64_t> Us;
  for (const GroupRow &Row : Groups.Rows)
    Us[Row.Key] = Row.TotalNs / 1000;
  EXPECT_EQ(Us, (std::map<std::string, int64_t>{{"Net_0", 300},
                                                {"Net_0 > Block_0 > Linear_0", 100},
                                                {"Net_0 > Block_0 > Linear_1", 700},
                                                {"[no module]", 1000},
                                                {"[unattributed]", 700}}));
}

TEST(Modules, WithoutModulesNothingIsSaidOfThem) {
  const Trace Source = joined(
      {eventText("cpu_op", "aten::add", 1, 0, 10), launch(1, 1, 1), work("kernel", "k", 5, 5, 1)});
  const Grouping Groups = groupBy(Source, linkWork(Source), GroupKey::Module);
  ASSERT_EQ(Groups.Rows.size(), 1u);
  EXPECT_EQ(Groups.Rows[0].Key, "[unattributed]");
  const Directions Parts(Source);
  const ModulePaths Paths(Source, Parts);
  EXPECT_FALSE(Paths.any());
  const ModuleTimes Times = moduleTimes(Source, linkWork(Source), Paths, Parts);
  ASSERT_EQ(Times.Rows.size(), 1u);
  EXPECT_EQ(Times.Rows[0].Self.HostNs, 10'000);
  EXPECT_EQ(Times.Rows[0].Self.DeviceNs, 5'000);
  EXPECT_EQ(Times.Rows[0].Total, Times.Sum);
}

TEST(Modules, ACheckpointsModulesAreThoseOfTheForwardPass) {
  const Trace Source = joined({
      eventText("python_function", "nn.Module: Net_0", 1, 0, 100),
      eventText("python_function", "nn.Module: Block_0", 1, 10, 50),
      eventText("python_function", "nn.Module: Linear_0", 1, 11, 10),
      eventText("python_function", "nn.Module: Linear_1", 1, 30, 20),
      eventText("cpu_op", "aten::linear", 1, 31, 18, numbered(2, 0)),
      // The node of Linear_1 asks for what the block threw away.
      eventText("cpu_op", "LinearBackward0", 2, 200, 90, numbered(2, 1)),
      eventText("python_function", "nn.Module: Block_0", 2, 210, 60),
      eventText("python_function", "nn.Module: Linear_0", 2, 215, 20),
      eventText("cpu_op", "aten::linear", 2, 220, 10, numbered(9, 0)),
      eventText("python_function", "nn.Module: New_0", 2, 240, 5),
  });
  const Directions Parts(Source);
  const ModulePaths Paths(Source, Parts);
  const ModuleTimes Times = moduleTimes(Source, linkWork(Source), Paths, Parts);
  expectRows(Times, Paths,
             {{"Net_0", 1, 1, 100, 50, 190, 90, 0, 0, 0, 0},
              {"Net_0 > Block_0", 2, 2, 110, 20 + 35, 50 + 90, 90, 0, 0, 0, 0},
              {"Net_0 > Block_0 > Linear_1", 3, 1, 20, 20 + 30, 50, 30, 0, 0, 0, 0},
              {"Net_0 > Block_0 > Linear_0", 3, 2, 30, 10 + 20, 30, 20, 0, 0, 0, 0},
              {"Net_0 > Block_0 > New_0", 3, 1, 5, 5, 5, 5, 0, 0, 0, 0},
              {"", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}});
}

TEST(Modules, ACompiledKernelIsOfTheModuleThatHoldsAllItNames) {
  const Trace Source = joined({
      eventText("python_function", "nn.Module: OptimizedModule_0", 1, 0, 100),
      eventText("cpu_op", "Torch-Compiled Region: 0/0", 1, 5, 90),
      eventText("cpu_op", "graph_0_cpp_fused_add_0", 1, 10, 10),
      eventText("cpu_op", "graph_0_cpp_fused_mul_1", 1, 30, 20),
      eventText("cpu_op", "graph_0_cpp_fused_div_2", 1, 60, 5),
      launch(1, 70, 1),
      work("kernel", "triton_poi_0", 80, 7, 1),
  });
  const KernelModules OfKernel = [&](uint32_t Event) -> std::vector<std::string> {
    const std::string_view Name = Source.text(Source.Sites[Source.Events.Site[Event]].Name);
    if (Name == "graph_0_cpp_fused_add_0")
      return {"layers.0.norm"};
    if (Name == "graph_0_cpp_fused_mul_1")
      return {"layers.0.norm", "layers.0.up", "layers.0"};
    if (Name == "triton_poi_0")
      return {"layers.1", "head"}; // nothing in common
    return {};
  };
  const Directions Parts(Source);
  const ModulePaths Paths(Source, Parts, ModuleNames::Instances, OfKernel);
  const ModuleTimes Times = moduleTimes(Source, linkWork(Source), Paths, Parts);
  expectRows(Times, Paths,
             {{"OptimizedModule_0", 1, 1, 100, 70, 100, 0, 7, 7, 0, 1},
              {"OptimizedModule_0 > layers", 2, 0, 0, 0, 30, 0, 0, 0, 0, 0},
              {"OptimizedModule_0 > layers > 0", 3, 0, 0, 20, 30, 0, 0, 0, 0, 0},
              {"OptimizedModule_0 > layers > 0 > norm", 4, 0, 0, 10, 10, 0, 0, 0, 0, 0},
              {"", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}});
}

TEST(Modules, LibrariesCallsOfCompiledCodeHaveTheirModules) {
  const Trace Input = joined({
      eventText("cpu_op", "aten::randn", 1, 0, 50), // outside of compiled code
      eventText("cpu_op", "Torch-Compiled Region: 0/0", 1, 100, 100),
      eventText("cpu_op", "aten::addmm", 1, 110, 40),
      eventText("cpu_op", "aten::empty", 1, 112, 5), // of the addmm
      eventText("cpu_op", "cpp_fused_gelu_0", 1, 160, 20),
  });
  const KernelModules OfKernel = [&](uint32_t Event) -> std::vector<std::string> {
    const std::string_view Name = Input.text(Input.Sites[Input.Events.Site[Event]].Name);
    if (Name == "aten::addmm")
      return {"mlp.0"};
    return Name == "cpp_fused_gelu_0" ? std::vector<std::string>{"mlp.1"}
                                      : std::vector<std::string>();
  };
  const Grouping Groups = groupBy(Input, linkWork(Input), GroupKey::Module, OfKernel);
  EXPECT_EQ(Groups.What, GroupedTime::Compiled);
  std::map<std::string, int64_t> Times;
  for (const GroupRow &Row : Groups.Rows)
    Times[Row.Key] = Row.SelfNs;
  const std::map<std::string, int64_t> Wanted = {{"mlp > 0", 40'000}, {"mlp > 1", 20'000}};
  EXPECT_EQ(Times, Wanted);
  EXPECT_EQ(Groups.SelfNs, 60'000);
}

} // namespace
} // namespace seamscope::tools
